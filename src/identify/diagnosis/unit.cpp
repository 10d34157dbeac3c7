#include "identify/diagnosis/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/signal/units.hpp"

namespace alembert::identify {
namespace {

constexpr double kGravity = 9.80665;  // m/s²

bool near(double value, double target, double share) {
  return std::abs(value - target) <= share * target;
}

// Ranges in which accelerometers are sold, in g.
bool is_range_in_g(double limit) {
  for (const double range : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 16.0, 20.0, 50.0}) {
    if (near(limit, range, 2e-3)) return true;
  }
  return false;
}

struct Suspicion {
  bool in_g = false;  // else in m/s²
  std::string reason;
  bool contradicted = false;  // by a displacement that was measured
};

// Gravity in the offset of a sensor that measures it.
Suspicion by_offset(double offset) {
  if (near(std::abs(offset), 1.0, 0.05)) {
    return {true, fmt::format("its offset of {:.4g} is one gravity in g", offset)};
  }
  if (near(std::abs(offset), kGravity, 0.05)) {
    return {false, fmt::format("its offset of {:.4g} is one gravity in m/s2", offset)};
  }
  return {};
}

// A clipped sensor shows its range.
Suspicion by_range(const Clipping& clipping, double factor) {
  if (!clipping.any()) return {};
  const double limit = (clipping.upper > 0 ? clipping.highest : -clipping.lowest) / factor;
  if (is_range_in_g(limit)) {
    return {true, fmt::format("it is clipped at {:.4g}, a usual range of sensors in g", limit)};
  }
  if (is_range_in_g(limit / kGravity)) {
    return {false, fmt::format("it is clipped at {:.4g} m/s2 = {:.3g} g, a usual range of sensors",
                               limit, limit / kGravity)};
  }
  return {};
}

// The amplitude of the displacement is that of the acceleration over ω², whatever the stiffness.
Suspicion by_displacement(const RecordDiagnosis& diagnosis, double displacement, double factor) {
  const double omega = 2.0 * std::numbers::pi / diagnosis.cycles.period;
  const double seen = diagnosis.cycles.amplitude / factor / (omega * omega);
  if (displacement > 0.0 && near(displacement / seen, kGravity, 0.5)) {
    return {true,
            fmt::format("read as m/s2 its amplitude means a displacement of {:.3g} m, read as g "
                        "one of {:.3g} m; {:.3g} m was given",
                        seen, kGravity * seen, displacement),
            true};
  }
  if (displacement > 0.0 && near(displacement / seen, 1.0, 0.5)) {
    return {false,
            fmt::format("read as m/s2 its amplitude means a displacement of {:.3g} m, and "
                        "{:.3g} m was given",
                        seen, displacement),
            true};
  }
  return {};
}

enum class Declared { Nothing, Gravities, Metres, Other };

Declared declared(const std::string& unit) {
  if (unit.empty()) return Declared::Nothing;
  if (signal::compare_units(unit, "g") == signal::UnitRelation::Same) return Declared::Gravities;
  if (signal::compare_units(unit, "m/s2") == signal::UnitRelation::Same) return Declared::Metres;
  return Declared::Other;
}

}  // namespace

UnitQuestion unit_question(const RecordDiagnosis& diagnosis, const Clipping& clipping,
                           const DiagnosisOptions& options) {
  const Declared unit = declared(options.unit);
  if (unit == Declared::Other) return {};
  Suspicion suspicion;
  if (options.displacement && diagnosis.fatal() == nullptr) {
    suspicion = by_displacement(diagnosis, *options.displacement, options.factor);
  }
  if (suspicion.reason.empty()) suspicion = by_offset(diagnosis.offset / options.factor);
  if (suspicion.reason.empty()) suspicion = by_range(clipping, options.factor);
  if (suspicion.reason.empty()) return {};
  const bool agrees = suspicion.in_g ? unit == Declared::Gravities
                                     : unit == Declared::Metres || unit == Declared::Nothing;
  if (agrees) return {};
  const std::string source = unit == Declared::Nothing
                                 ? "The file names no unit, so the numbers are taken as m/s2"
                                 : fmt::format("It is declared as {}", options.unit);
  return {.text = fmt::format("is the acceleration in {}? {}", suspicion.in_g ? "g" : "m/s2",
                              suspicion.reason) +
                  ". " + source +
                  "; the frequency does not depend on it, but displacements and the parameters of "
                  "nonlinear terms do",
          .contradicted = suspicion.contradicted};
}

}  // namespace alembert::identify
