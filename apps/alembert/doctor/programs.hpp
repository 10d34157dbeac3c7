#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Other programs of the machine.
namespace alembert::app {

/// The first of these programs in the absolute folders of PATH, with its path; "" if there is none.
[[nodiscard]] std::filesystem::path find_program(const std::vector<std::string>& names);

/// Runs a program without a shell and with nothing to read; its output and messages are dropped.
/// Returns its exit code, -1 if it could not be started.
[[nodiscard]] int run_program(const std::filesystem::path& program,
                              const std::vector<std::string>& arguments);

}  // namespace alembert::app
