#pragma once

#include <Eigen/Core>
#include <string_view>

#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// The first-order form in time τ = t/h and state z = (q, h q'): dz/dτ = A z + B u.
struct ScaledSystem {
  Eigen::MatrixXd A;  ///< (0 I; -h² M⁻¹K  -h M⁻¹D)
  Eigen::MatrixXd B;  ///< (0; h² M⁻¹L)
};

/// @throws InvalidInput as model::state_space(), and in the name of `function` unless step > 0 or
///   if an entry overflows.
[[nodiscard]] ScaledSystem scaled_system(std::string_view function,
                                         const model::SecondOrder& system, double step);

/// Turns G for the coefficients (u, h u', ...) of the hold, side by side, into G for the samples
/// that its drive reads, and names that drive.
void set_input(OneStepMap& map, signal::BetweenSamples hold, const Eigen::MatrixXd& G);

}  // namespace alembert::integrate
