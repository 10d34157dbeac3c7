#include "study/parts/unit_conversion.hpp"

#include "alembert/signal/units.hpp"

namespace alembert::study {

std::optional<double> conversion(const std::string& from, const std::string& to) {
  if (from == to) {
    return 1.0;
  }
  switch (signal::compare_units(from, to)) {
    case signal::UnitRelation::Same:
      return 1.0;
    case signal::UnitRelation::Convertible:
      break;
    default:
      return std::nullopt;
  }
  const signal::Conversion found = signal::conversion(from, to);
  // Scales with another zero (degC) have no place in a linear model.
  if (found.offset != 0.0) {
    return std::nullopt;
  }
  return found.scale;
}

}  // namespace alembert::study
