#pragma once

#include <string>

namespace CLI {
class App;
}

namespace alembert::app {

/// Shell scripts that complete commands, options and arguments, made from the tree of commands so
/// that they stay true.
[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
[[nodiscard]] std::string fish_completion(const CLI::App& app);

}  // namespace alembert::app
