#pragma once

#include <string>
#include <vector>

#include "alembert/identify/acceleration_refine.hpp"

namespace alembert::identify {

/// An equation of motion as a model with start values and sensor offset among its parameters:
/// those of the equation, then x0, v0, offset.
struct SensedModel {
  std::vector<std::string> names;  ///< of all parameters
  model::EquationModel model;      ///< output A = x'' + offset
};

[[nodiscard]] SensedModel sensed_model(const EquationOfMotion& equation);

/// Steps after which a simulation of so many samples ends: a motion that friction has stopped would
/// take steps without end.
[[nodiscard]] constexpr std::size_t step_limit(Eigen::Index samples) {
  return 10000 + 10 * static_cast<std::size_t>(samples);
}

/// Whether f jumps where a switch function of the states changes sign: sign, floor, comparisons.
[[nodiscard]] bool has_jumps(const EquationOfMotion& equation);

/// Which samples have a jump of f between them and the next one, along a motion.
[[nodiscard]] std::vector<bool> jumps_along(const EquationOfMotion& equation,
                                            const Eigen::VectorXd& parameters,
                                            const SimulatedMotion& motion,
                                            const Eigen::MatrixXd& forcing);

}  // namespace alembert::identify
