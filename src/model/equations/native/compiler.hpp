#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace alembert::model::equations {

/// Path of the first of cc, gcc, clang in the absolute folders of PATH; "" if there is none.
[[nodiscard]] std::string find_compiler();

/// What tells one compiler from another: path, size and time of change of its file.
[[nodiscard]] std::string compiler_identity(const std::string& compiler);

/// The options with which a source of this size, in bytes, is compiled.
[[nodiscard]] std::vector<std::string> compiler_options(std::size_t source_size);

/// The compiler was ended because it took too long.
class CompilerTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Compiles a C file into a shared library: no shell, a small environment, a time limit. The
/// compiler finds its parts in absolute folders only. One that failed is not started again for a
/// minute; its message stays.
/// @throws std::runtime_error with the compiler's first message.
/// @throws CompilerTimeout
void compile(const std::string& compiler, const std::string& source, const std::string& library,
             const std::string& log, double timeout);

}  // namespace alembert::model::equations
