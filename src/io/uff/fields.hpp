#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/file/text_lines.hpp"

/// Fields of universal files: fixed columns, Fortran numbers.
namespace alembert::io {

/// Takes fields of fixed width off a header line, from left to right. Blank fields are 0 or "".
class FieldReader {
 public:
  FieldReader(std::string_view line, const TextLines& lines) : line_(line), lines_(lines) {}

  /// An integer of `width` columns. @throws DataError naming `what` and its columns.
  long long integer(std::size_t width, std::string_view what);
  /// The same, within the range of int.
  int small_integer(std::size_t width, std::string_view what);
  /// A real number, exponent letter E, D or none. @throws DataError as integer().
  double real(std::size_t width, std::string_view what);
  /// Text without trailing blanks.
  std::string text(std::size_t width);
  void skip(std::size_t width) { column_ += width; }

 private:
  std::string_view take(std::size_t width);
  [[noreturn]] void fail(std::string_view what, std::string_view kind, std::string_view got,
                         std::size_t width) const;

  std::string_view line_;
  const TextLines& lines_;
  std::size_t column_ = 0;
};

/// Cuts the first number off a text: 1.5, -2E+3, 1.0D-05, 1.25-101 (Fortran's three-digit
/// exponent), NaN, Infinity. A sign may follow a number without a blank between, as full columns
/// make it. Nullopt when the text does not begin with a number or it is beyond the range of a
/// double.
[[nodiscard]] std::optional<double> take_fortran_number(std::string_view& text);

/// A number in `width` columns, right-justified behind at least one blank, with a decimal point (a
/// Fortran reader would shift digits without) and as many digits as fit.
[[nodiscard]] std::string fitted_number(double value, std::size_t width);

}  // namespace alembert::io
