#pragma once

#include <string>

/// Numbers and units in words, for tables and captions.
namespace alembert::document {

/// A number with so many significant digits, plain between 1e-4 and 1e6, else with exponent.
[[nodiscard]] std::string significant(double value, int digits = 4);

/// A number with a fixed count of decimals.
[[nodiscard]] std::string fixed(double value, int decimals);

/// A number with its standard deviation, both to two digits of the latter: "100.31 ± 0.42"; 0 is
/// "fixed", NaN leaves the number alone.
[[nodiscard]] std::string with_deviation(double value, double deviation);

/// A unit with powers as superscripts: "m/s^2" becomes "m/s²".
[[nodiscard]] std::string pretty_unit(const std::string& unit);

/// "name [unit]", or the name alone without a unit.
[[nodiscard]] std::string with_unit(const std::string& name, const std::string& unit);

/// The unit of a quotient: "m/N", "rad/(N m)"; "" if one of the two is not known.
[[nodiscard]] std::string quotient_unit(const std::string& above, const std::string& below);

/// The unit of a power density: "m²/Hz", "(m/s²)²/Hz".
[[nodiscard]] std::string density_unit(const std::string& unit);

/// A whole number with narrow spaces between groups of three digits.
[[nodiscard]] std::string grouped(long long value);

/// "1 sensor", "3 sensors".
[[nodiscard]] std::string count_of(long long count, const std::string& noun);

}  // namespace alembert::document
