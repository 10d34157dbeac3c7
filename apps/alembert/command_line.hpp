#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session.hpp"

namespace CLI {
class App;
}

namespace alembert::app {

/// The tree of commands and options.
class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Reads the arguments and runs the command they name. Returns the exit code.
  int run(std::vector<std::string> arguments, Session& session);

 private:
  struct Arguments;
  std::unique_ptr<Arguments> arguments_;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace alembert::app
