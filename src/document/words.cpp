#include "alembert/document/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace alembert::document {
namespace {

// Letters only: no product, quotient or power.
bool is_plain(const std::string& unit) {
  return std::all_of(unit.begin(), unit.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (value == 0.0) return "0";
  std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  // The exponent after rounding: 0.99996 with four digits is 1.000.
  const int magnitude = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (magnitude < -4 || magnitude >= 6) return scientific;
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - magnitude));
}

std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

std::string with_deviation(double value, double deviation) {
  if (deviation == 0.0) return significant(value) + " fixed";
  if (std::isnan(deviation)) return significant(value);
  if (std::isinf(deviation)) return significant(value) + " \u00b1 \u221e";
  const int magnitude = static_cast<int>(std::floor(std::log10(deviation)));
  const double size = std::max(std::abs(value), deviation);
  if (size >= 1e6 || size < 1e-3) {
    // Both with one exponent, that of the larger.
    const int exponent = static_cast<int>(std::floor(std::log10(size)));
    const double scale = std::pow(10.0, exponent);
    const int decimals = std::clamp(exponent - magnitude + 1, 0, 9);
    return fmt::format("({:.{}f} \u00b1 {:.{}f})e{}", value / scale, decimals, deviation / scale,
                       decimals, exponent);
  }
  const int decimals = std::clamp(1 - magnitude, 0, 9);
  return fmt::format("{:.{}f} \u00b1 {:.{}f}", value, decimals, deviation, decimals);
}

std::string pretty_unit(const std::string& unit) {
  const char* const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text;
  bool raised = false;
  for (const char c : unit) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (c == '^') {
      raised = true;
    } else if (raised && c == '-') {
      text += "\u207b";
    } else if (raised && digit) {
      text += digits[c - '0'];
    } else {
      raised = false;
      text += c;
    }
  }
  return text;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, pretty_unit(unit));
}

std::string quotient_unit(const std::string& above, const std::string& below) {
  if (above.empty() || below.empty()) return "";
  return is_plain(below) ? fmt::format("{}/{}", above, below)
                         : fmt::format("{}/({})", above, below);
}

std::string density_unit(const std::string& unit) {
  if (unit.empty() || unit == "-") return "1/Hz";
  return is_plain(unit) ? fmt::format("{}\u00b2/Hz", unit)
                        : fmt::format("({})\u00b2/Hz", pretty_unit(unit));
}

std::string grouped(long long value) {
  const std::string digits = std::to_string(value);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') result += "\xE2\x80\xAF";  // U+202F
    result += digits[i];
  }
  return result;
}

std::string count_of(long long count, const std::string& noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace alembert::document
