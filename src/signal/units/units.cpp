#include "alembert/signal/units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "signal/units/unit_table.hpp"

namespace alembert::signal {

namespace {

// Longer texts are no units; the bound also limits the depth of the recursion.
constexpr std::size_t kLongestText = 100;
// Exponents are sums and products of a few small numbers; this only absorbs their rounding.
constexpr double kExponentTolerance = 1e-9;
// Factors of the same unit spelled in two ways differ by rounding.
constexpr double kFactorTolerance = 1e-12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }

Unit power(Unit unit, double exponent) {
  unit.factor = std::pow(unit.factor, exponent);
  unit.offset = exponent == 1.0 ? unit.offset : 0.0;
  for (double& e : unit.exponents) {
    e *= exponent;
  }
  return unit;
}

Unit product(Unit a, const Unit& b) {
  a.factor *= b.factor;
  a.offset = 0.0;  // in a product degC means a difference of temperatures
  for (std::size_t i = 0; i < a.exponents.size(); ++i) {
    a.exponents[i] += b.exponents[i];
  }
  return a;
}

// Recursive descent: expression = term {operator term}, term = atom [power].
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Unit> whole() {
    std::optional<Unit> unit = expression();
    skip_blanks();
    return rest_.empty() ? unit : std::nullopt;
  }

 private:
  [[nodiscard]] char next(std::size_t ahead = 0) const {
    return ahead < rest_.size() ? rest_[ahead] : '\0';
  }
  bool accept(std::string_view token) {
    const bool found = rest_.substr(0, token.size()) == token;
    rest_.remove_prefix(found ? token.size() : 0);
    return found;
  }
  void skip_blanks() {
    while (next() == ' ' || next() == '\t') {
      rest_.remove_prefix(1);
    }
  }

  std::optional<Unit> expression() {
    std::optional<Unit> result = term();
    while (result) {
      const std::optional<double> exponent = operation();
      if (!exponent) {
        break;
      }
      const std::optional<Unit> factor = term();
      result = factor ? std::optional(product(*result, power(*factor, *exponent))) : std::nullopt;
    }
    return result;
  }

  // +1 before a factor, -1 before a divisor, nothing at the end of the expression.
  std::optional<double> operation() {
    const std::size_t before = rest_.size();
    skip_blanks();
    if (accept("/")) {
      return -1.0;
    }
    const bool dash = next() == '-' && is_letter(next(1));
    if (accept("*") || accept(".") || (dash && accept("-"))) {
      return 1.0;
    }
    const bool blank = rest_.size() < before;
    const bool another = is_letter(next()) || is_digit(next()) || next() == '(';
    return blank && another ? std::optional(1.0) : std::nullopt;
  }

  std::optional<Unit> term() {
    skip_blanks();
    std::optional<Unit> unit = atom();
    if (!unit) {
      return std::nullopt;
    }
    const std::optional<double> exponent = raised();
    return exponent ? std::optional(power(*unit, *exponent)) : std::nullopt;
  }

  std::optional<Unit> atom() {
    if (accept("sqrt")) {
      const std::optional<Unit> inner = next() == '(' ? parenthesis() : term();
      return inner ? std::optional(power(*inner, 0.5)) : std::nullopt;
    }
    if (next() == '(') {
      return parenthesis();
    }
    if (is_digit(next())) {
      const std::optional<double> value = number();
      return value && *value > 0.0 ? std::optional(Unit{.factor = *value}) : std::nullopt;
    }
    std::size_t length = 0;
    while (is_letter(next(length))) {
      ++length;
    }
    const std::string_view symbol = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return find_symbol(symbol);
  }

  std::optional<Unit> parenthesis() {
    rest_.remove_prefix(1);
    const std::optional<Unit> inner = expression();
    skip_blanks();
    return accept(")") ? inner : std::nullopt;
  }

  // The exponent after an atom: ^2, **2, ^(-1/2), 2, -2; 1 where there is none.
  std::optional<double> raised() {
    if (accept("^") || accept("**")) {
      return next() == '(' ? fraction() : signed_number();
    }
    const bool signed_digit = (next() == '-' || next() == '+') && is_digit(next(1));
    return is_digit(next()) || signed_digit ? digits() : std::optional(1.0);
  }

  std::optional<double> fraction() {
    accept("(");
    std::optional<double> value = signed_number();
    if (value && accept("/")) {
      const std::optional<double> divisor = number();
      value = divisor && *divisor > 0.0 ? std::optional(*value / *divisor) : std::nullopt;
    }
    return accept(")") ? value : std::nullopt;
  }

  std::optional<double> signed_number() {
    const double sign = accept("-") ? -1.0 : 1.0;
    accept("+");
    const std::optional<double> value = is_digit(next()) ? number() : std::nullopt;
    return value ? std::optional(sign * *value) : std::nullopt;
  }

  // Whole digits only: in "m2.s" the dot multiplies.
  std::optional<double> digits() {
    const double sign = accept("-") ? -1.0 : 1.0;
    accept("+");
    double value = 0.0;
    while (is_digit(next())) {
      value = 10.0 * value + static_cast<double>(next() - '0');
      rest_.remove_prefix(1);
    }
    return sign * value;
  }

  std::optional<double> number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      return std::nullopt;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view rest_;
};

std::string_view without_brackets(std::string_view text) {
  text = trimmed(text);
  const bool square = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  return square ? trimmed(text.substr(1, text.size() - 2)) : text;
}

bool usable(const Unit& unit) { return std::isfinite(unit.factor) && unit.factor > 0.0; }

Unit known_unit(std::string_view text) {
  const std::optional<Unit> unit = parse_unit(text);
  if (!unit) {
    throw InvalidInput({.function = "conversion",
                        .argument = "unit",
                        .rule = "must be a known one",
                        .value = fmt::format("'{}'", text)});
  }
  return *unit;
}

Conversion checked_conversion(const Unit& from, const Unit& to, std::string_view from_text,
                              std::string_view to_text) {
  if (!compatible(from, to)) {
    throw InvalidInput({.function = "conversion",
                        .argument = "units",
                        .rule = "must measure the same quantity",
                        .value = fmt::format("'{}' and '{}'", from_text, to_text)});
  }
  return {.scale = from.factor / to.factor, .offset = (from.offset - to.offset) / to.factor};
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  text = without_brackets(text);
  if (text.empty() || text.size() > kLongestText) {
    return std::nullopt;
  }
  if (text == "-") {
    return Unit{};
  }
  const std::string ascii = to_ascii(text);
  std::optional<Unit> unit = Parser(ascii).whole();
  return unit && usable(*unit) ? unit : std::nullopt;
}

bool compatible(const Unit& a, const Unit& b) {
  for (std::size_t i = 0; i < a.exponents.size(); ++i) {
    if (std::abs(a.exponents[i] - b.exponents[i]) > kExponentTolerance) {
      return false;
    }
  }
  return true;
}

UnitRelation compare_units(std::string_view a, std::string_view b) {
  const std::optional<Unit> first = parse_unit(a);
  const std::optional<Unit> second = parse_unit(b);
  if (!first || !second) {
    return UnitRelation::Unknown;
  }
  if (!compatible(*first, *second)) {
    return UnitRelation::Incompatible;
  }
  const bool same =
      std::abs(first->factor / second->factor - 1.0) <= kFactorTolerance &&
      std::abs(first->offset - second->offset) <= kFactorTolerance * std::abs(first->offset);
  return same ? UnitRelation::Same : UnitRelation::Convertible;
}

Conversion conversion(const Unit& from, const Unit& to) {
  return checked_conversion(from, to, base_units(from), base_units(to));
}

Conversion conversion(std::string_view from, std::string_view to) {
  return checked_conversion(known_unit(from), known_unit(to), from, to);
}

std::string base_units(const Unit& unit) {
  // Mass first, as in kg m s^-2.
  constexpr std::pair<std::size_t, std::string_view> kBaseOrder[] = {
      {1, "kg"}, {0, "m"}, {2, "s"}, {3, "A"}, {4, "K"}, {5, "rad"}};
  std::vector<std::string> parts;
  for (const auto& [index, symbol] : kBaseOrder) {
    const double exponent = unit.exponents[index];
    if (exponent == 1.0) {
      parts.emplace_back(symbol);
    } else if (exponent != 0.0) {
      parts.push_back(fmt::format("{}^{}", symbol, shortest(exponent)));
    }
  }
  return parts.empty() ? "-" : join(parts, " ");
}

}  // namespace alembert::signal
