#include "model/equations/language/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/signal/units.hpp"

namespace alembert::model::equations {

namespace {

constexpr double kExponentTolerance = 1e-6;  // exponents are small fractions
constexpr double kFactorTolerance = 1e-9;    // products of exact factors, rounded

}  // namespace

std::optional<Quantity> read_quantity(std::string_view unit) {
  const auto read = signal::parse_unit(unit);
  if (!read) {
    return std::nullopt;
  }
  Quantity result{.factor = read->factor};
  std::copy_n(read->exponents.begin(), result.exponents.size(), result.exponents.begin());
  return result;
}

Quantity product(const Quantity& a, const Quantity& b) {
  Quantity result{.factor = a.factor * b.factor, .scaled = a.scaled && b.scaled};
  for (std::size_t k = 0; k < result.exponents.size(); ++k) {
    result.exponents[k] = a.exponents[k] + b.exponents[k];
  }
  return result;
}

Quantity quotient(const Quantity& a, const Quantity& b) { return product(a, raised(b, -1.0)); }

Quantity raised(const Quantity& a, double exponent) {
  Quantity result{.factor = std::pow(a.factor, exponent), .scaled = a.scaled};
  for (std::size_t k = 0; k < result.exponents.size(); ++k) {
    result.exponents[k] = a.exponents[k] * exponent;
  }
  return result;
}

bool matches(const Quantity& a, const Quantity& b) {
  for (std::size_t k = 0; k < a.exponents.size(); ++k) {
    if (!(std::fabs(a.exponents[k] - b.exponents[k]) <= kExponentTolerance)) {
      return false;
    }
  }
  return !a.scaled || !b.scaled || std::fabs(a.factor / b.factor - 1.0) <= kFactorTolerance;
}

std::string to_string(const Quantity& quantity) {
  signal::Unit unit{.factor = quantity.factor};
  std::copy(quantity.exponents.begin(), quantity.exponents.end(), unit.exponents.begin());
  const std::string base = signal::base_units(unit);
  const bool plain = !quantity.scaled || std::fabs(quantity.factor - 1.0) <= kFactorTolerance;
  return plain ? base : fmt::format("{:.6g} {}", quantity.factor, base == "-" ? "" : base);
}

}  // namespace alembert::model::equations
