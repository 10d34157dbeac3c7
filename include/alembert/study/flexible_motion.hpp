#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/integrate/flexible_simulation.hpp"
#include "alembert/model/flexible/equilibrium.hpp"
#include "alembert/model/flexible/sensors.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/study/mechanism_motion.hpp"

/// A mechanism with flexible bodies that moves as a study says.
namespace alembert::study {

/// How the links of a flexible mechanism begin.
enum class LinksAtStart {
  Undeformed,   ///< straight, where the study puts the coordinates
  Deflected,    ///< bent by gravity, springs and the forces at first, coordinates as the study says
  Equilibrium,  ///< at rest in the balance of these, found from the coordinates of the study
};
constexpr auto enum_names(LinksAtStart) {
  return std::to_array<EnumName<LinksAtStart>>({{LinksAtStart::Undeformed, "undeformed"},
                                                {LinksAtStart::Deflected, "deflected"},
                                                {LinksAtStart::Equilibrium, "equilibrium"}});
}

/// A mechanism with flexible bodies, its sensors and what moves it.
struct MovedFlexible {
  std::shared_ptr<const model::flexible::FlexibleMechanism> mechanism;  // constant, shared
  std::shared_ptr<const model::flexible::FlexibleSensors> sensors;      // likewise
  ReleasedMechanism released;
  LinksAtStart links = LinksAtStart::Undeformed;
  std::vector<ForceLaw> forces;  ///< one for each force
  integrate::FlexibleSimulationOptions integration = {};
  double deflection_scale = 0.0;  ///< of the drawing; 0: chosen
  Place place;                    ///< of [simulate.start], for messages
};

/// How far a flexible body is from straight.
struct LargestDeflection {
  std::string body;
  double length = 0.0;      ///< m
  double deflection = 0.0;  ///< across the chord of the body, m
  double time = 0.0;        ///< s
};

/// What is found of a mechanism with flexible bodies beside its records.
struct FlexibleOutcome {
  model::flexible::FlexibleEquilibrium rest;           ///< about which the small motions are
  bool held = true;                                    ///< whether the coordinates were held there
  model::SecondOrder small;                            ///< small motions of (u, q)
  model::flexible::FlexibleReadings readings_at_rest;  ///< of small motions
  model::UndampedModes shapes;
  std::vector<model::DampedMode> modes;  ///< that vibrate
  integrate::FlexibleSimulation run;
  Eigen::MatrixXd readings;  ///< samples x sensors, without errors
  std::vector<LargestDeflection> deflections;
  Verdict verdict;
};

/// Finds rest and small motions, moves the mechanism, reads its sensors and judges all that.
/// @throws StudyError where the mechanism cannot begin or be followed as the study says.
[[nodiscard]] FlexibleOutcome move_flexible(const MovedFlexible& moved, double step,
                                            Eigen::Index samples);

}  // namespace alembert::study
