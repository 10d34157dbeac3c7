#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How this tool was built.
namespace alembert::app {

/// The commit of the sources, with "+" behind it if they were changed; "unknown" outside of git.
[[nodiscard]] std::string_view commit();

/// "GCC 12.2.0, C++20, Release"
[[nodiscard]] std::string compiler_words();

/// Name and version of each library that the sources were built with.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& built_with();

/// The text of --version: version, commit, compiler, libraries.
[[nodiscard]] std::string version_text();

}  // namespace alembert::app
