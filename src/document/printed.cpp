#include "alembert/document/printed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::document {
namespace {

void need_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && at == end && std::isfinite(value)) return;
  throw InvalidInput({.function = "as_printed",
                      .argument = "number",
                      .rule = "must be a number as it is printed",
                      .value = fmt::format("\"{}\"", text)});
}

}  // namespace

std::string as_printed(const std::string& number) {
  need_number(number);
  const auto exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string digits = number.substr(0, exponent_at);
  const auto point = digits.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point) - 1;
  const int exponent = exponent_at == number.size() ? 0 : std::stoi(number.substr(exponent_at + 1));
  return fmt::format("{} +- {:.0e}", number, 0.5 * std::pow(10.0, exponent - decimals));
}

}  // namespace alembert::document
