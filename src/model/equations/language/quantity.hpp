#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace alembert::model::equations {

/// Dimension and scale of an expression. Angles count as numbers here: the torque of a spring is
/// N m whether its angle is written in rad or not.
struct Quantity {
  std::array<double, 5> exponents{};  ///< of m, kg, s, A, K
  double factor = 1.0;                ///< value in SI = factor · value
  bool scaled = true;  ///< false behind a factor that may be a conversion: the scale is not checked
};

/// Reads a unit. nullopt if it is not known.
[[nodiscard]] std::optional<Quantity> read_quantity(std::string_view unit);

[[nodiscard]] Quantity product(const Quantity& a, const Quantity& b);
[[nodiscard]] Quantity quotient(const Quantity& a, const Quantity& b);
[[nodiscard]] Quantity raised(const Quantity& a, double exponent);

/// Whether the two may be added.
[[nodiscard]] bool matches(const Quantity& a, const Quantity& b);

/// "kg m s^-2", "0.001 m", "-" without dimension.
[[nodiscard]] std::string to_string(const Quantity& quantity);

}  // namespace alembert::model::equations
