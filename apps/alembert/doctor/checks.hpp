#pragma once

#include <string>
#include <vector>

namespace alembert::app {

/// One thing that the tool needs or could use, and how it stands.
struct Check {
  enum class State {
    Good,
    Absent,  ///< an optional part is not there; the text says what it is for
    Bad      ///< something will fail; the text says what to do
  };
  std::string name;
  State state = State::Good;
  std::string text = {};
};

/// Looks at this machine: the kernels, the C compiler for equations, folders, optional parts.
[[nodiscard]] std::vector<Check> run_checks();

}  // namespace alembert::app
