#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/code/program.hpp"

/// Pieces of C that all programs share. In patterns @ stands for the name of the program, ^ for the
/// same in capitals, $ for the suffix of numbers.
namespace alembert::code {

[[nodiscard]] std::string in_capitals(std::string text);
/// The text with every mark replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& mark,
                                   const std::string& by);
[[nodiscard]] std::string filled(const std::string& pattern, const ProgramOptions& options);

/// A number with all digits that its type holds.
[[nodiscard]] std::string c_number(double value, model::CNumber number);
/// `static const real NAME[N] = {...};` column by column; one zero where there is nothing.
[[nodiscard]] std::string c_array(const std::string& name, const Eigen::MatrixXd& values,
                                  model::CNumber number);
/// A text inside a comment, in printable ASCII.
[[nodiscard]] std::string in_comment(const std::string& text);

/// NAME.h for a program whose signals are set. @param functions the declarations.
[[nodiscard]] std::string header_text(const Program& program, const std::string& functions);
/// The beginning of NAME.c: includes, and the lists of names.
[[nodiscard]] std::string source_head(const Program& program);
/// NAME_test.c.
[[nodiscard]] std::string test_text(const Program& program);

[[nodiscard]] constexpr std::size_t bytes_of(model::CNumber number) {
  return number == model::CNumber::Float ? 4 : 8;
}

}  // namespace alembert::code
