#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

/// Units of measured channels: read, compared and converted, to catch mm taken for m.
namespace alembert::signal {

/// The base quantities that a unit is made of, in the order of Unit::exponents.
/// The angle counts as one of them, so that rad/s and Hz stay apart.
enum class BaseQuantity { Length, Mass, Time, Current, Temperature, Angle };

/// A unit: value in SI = factor · value + offset, SI being m, kg, s, A, K, rad and products.
struct Unit {
  double factor = 1.0;
  double offset = 0.0;                ///< not zero for degC and degF alone only
  std::array<double, 6> exponents{};  ///< of m, kg, s, A, K, rad; halves in noise densities

  bool operator==(const Unit&) const = default;
};

/// Reads a unit; nullopt if it is empty or not known, which is no error.
///
/// Forms: products with `*`, `·`, `.`, `-` between letters, or a blank; quotients with `/`, from
/// left to right; powers with `^`, `**`, superscripts or digits (`m/s^2`, `m/s2`, `m s-2`);
/// parentheses, `sqrt()`, and numbers (`1/s`, `V/sqrt(Hz)`). `-`, `1` and `%` have no dimension.
/// The whole may stand in brackets. Metric prefixes f p n u µ m c d da h k M G T.
///
/// As usual in vibration records `g` is the standard gravity, 9.80665 m/s², also with prefixes
/// (`mg`); `kg` is the kilogram, and grams are written `gram`.
[[nodiscard]] std::optional<Unit> parse_unit(std::string_view text);

/// Whether values in one unit can be converted to the other.
[[nodiscard]] bool compatible(const Unit& a, const Unit& b);

/// What two unit texts have to do with each other.
enum class UnitRelation {
  Unknown,       ///< at least one text is not a known unit
  Same,          ///< numbers mean the same in both
  Convertible,   ///< same quantity, other scale: mm and m
  Incompatible,  ///< other quantity: mm and N
};
[[nodiscard]] UnitRelation compare_units(std::string_view a, std::string_view b);

/// Turns values from one unit into another: scale · value + offset.
struct Conversion {
  double scale = 1.0;
  double offset = 0.0;

  [[nodiscard]] double operator()(double value) const { return scale * value + offset; }
};

/// The conversion between compatible units. @throws InvalidInput naming both if they are not.
[[nodiscard]] Conversion conversion(const Unit& from, const Unit& to);

/// The same for unit texts. @throws InvalidInput if one is unknown, or as above.
[[nodiscard]] Conversion conversion(std::string_view from, std::string_view to);

/// The base units of a unit, for messages: "kg m s^-2"; "-" without dimension.
[[nodiscard]] std::string base_units(const Unit& unit);

}  // namespace alembert::signal
