#include "io/uff/fields.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "alembert/core/text.hpp"

namespace alembert::io {

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_sign(char letter) { return letter == '+' || letter == '-'; }

std::size_t digits_from(std::string_view text, std::size_t position) {
  std::size_t end = position;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  return end - position;
}

// Length of sign, digits and decimal point at the front; 0 without a digit.
std::size_t mantissa_length(std::string_view text) {
  std::size_t position = !text.empty() && is_sign(text.front()) ? 1 : 0;
  std::size_t digits = digits_from(text, position);
  position += digits;
  if (position < text.size() && text[position] == '.') {
    const std::size_t behind = digits_from(text, position + 1);
    digits += behind;
    position += 1 + behind;
  }
  return digits == 0 ? 0 : position;
}

struct Exponent {
  std::size_t length = 0;  // with its letter
  std::string_view digits = {};
};

// E+05, D-3, or a bare sign with exactly three digits: what Fortran writes when the letter has no
// room. A sign with another number of digits begins the next number.
Exponent exponent_of(std::string_view text) {
  const std::size_t letter =
      !text.empty() && std::string_view("eEdDqQ").find(text.front()) != std::string_view::npos ? 1
                                                                                               : 0;
  const std::size_t sign = letter < text.size() && is_sign(text[letter]) ? 1 : 0;
  const std::size_t digits = digits_from(text, letter + sign);
  const std::size_t length = letter + sign + digits;
  const bool goes_on = length < text.size() && text[length] == '.';
  if (digits == 0 || (letter == 0 && (sign == 0 || digits != 3 || goes_on))) {
    return {};
  }
  return {length, text.substr(letter, sign + digits)};
}

std::optional<double> take_special(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] != ' ' && text[length] != '\t') {
    ++length;
  }
  std::string_view word = text.substr(0, length);
  if (!word.empty() && word.front() == '+') {
    word.remove_prefix(1);
  }
  double value = 0.0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size() || std::isfinite(value)) {
    return std::nullopt;
  }
  text.remove_prefix(length);
  return value;
}

void require_decimal_point(std::string& text) {
  if (text.find('.') == std::string::npos) {
    text.insert(std::min(text.find('e'), text.size()), 1, '.');
  }
}

std::string general(double value, int digits) {
  char buffer[64];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  std::string text(buffer, end);
  require_decimal_point(text);
  return text;
}

}  // namespace

std::optional<double> take_fortran_number(std::string_view& text) {
  const std::size_t length = mantissa_length(text);
  if (length == 0) {
    return take_special(text);
  }
  const Exponent exponent = exponent_of(text.substr(length));
  std::string number(text.substr(0, length));
  if (exponent.length > 0) {
    number.append("e").append(exponent.digits);
  }
  const char* begin = number.data() + (number.front() == '+' ? 1 : 0);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, number.data() + number.size(), value);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(length + exponent.length);
  return value;
}

std::string fitted_number(double value, std::size_t width) {
  if (!std::isfinite(value)) {
    return fmt::format("{:>{}}", std::isnan(value) ? "NaN" : value > 0.0 ? "Inf" : "-Inf", width);
  }
  const std::size_t room = width - 1;
  std::string text = shortest(value);
  require_decimal_point(text);
  for (int digits = 17; text.size() > room && digits > 0;) {
    text = general(value, digits);
    digits -= static_cast<int>(text.size() > room ? text.size() - room : 0);
  }
  return fmt::format("{:>{}}", text, width);
}

std::string_view FieldReader::take(std::size_t width) {
  const std::size_t begin = std::min(column_, line_.size());
  column_ += width;
  return line_.substr(begin, width);
}

void FieldReader::fail(std::string_view what, std::string_view kind, std::string_view got,
                       std::size_t width) const {
  lines_.fail(fmt::format("{} (columns {} to {}) must be {}, got '{}'", what, column_ - width + 1,
                          column_, kind, got));
}

long long FieldReader::integer(std::size_t width, std::string_view what) {
  const std::string_view field = trimmed(take(width));
  if (field.empty()) {
    return 0;
  }
  const char* begin = field.data() + (field.front() == '+' ? 1 : 0);
  const char* end = field.data() + field.size();
  long long value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end) {
    fail(what, "an integer", field, width);
  }
  return value;
}

int FieldReader::small_integer(std::size_t width, std::string_view what) {
  const long long value = integer(width, what);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    fail(what, "a smaller integer", std::to_string(value), width);
  }
  return static_cast<int>(value);
}

double FieldReader::real(std::size_t width, std::string_view what) {
  std::string_view field = trimmed(take(width));
  if (field.empty()) {
    return 0.0;
  }
  const std::string_view whole = field;
  const std::optional<double> value = take_fortran_number(field);
  if (!value || !field.empty()) {
    fail(what, "a number", whole, width);
  }
  return *value;
}

std::string FieldReader::text(std::size_t width) {
  std::string_view field = take(width);
  while (!field.empty() && field.back() == ' ') {
    field.remove_suffix(1);
  }
  return std::string(field);
}

}  // namespace alembert::io
