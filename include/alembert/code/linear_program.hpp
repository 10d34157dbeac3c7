#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/code/program.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::code {

/// A linear system for one constant step:
///
///   x(k+1) = F x(k) + G w(k),   y(k) = C x(k) + E u(k)
///
/// with w the inputs of a step as integrate::Drive says. With a gain K it is an observer too, the
/// steady-state Kalman filter of a state-space model in innovation form:
///
///   x(k+1) = F x(k) + G w(k) + K (y(k) - C x(k) - E u(k))
struct LinearSteps {
  Eigen::MatrixXd F, G, C, E;
  Eigen::MatrixXd K = {};  ///< empty: no observer
  integrate::Drive drive = integrate::Drive::Begin;
  double step = 0.0;      ///< s
  Eigen::VectorXd start;  ///< x at the first sample
  std::vector<Signal> inputs, states, outputs;
};

/// M q'' + D q' + K q = L u with a map of integrate::one_step_map(), x = (q, q').
/// @throws InvalidInput as state_space(), and for a map of another system.
[[nodiscard]] LinearSteps linear_steps(const model::SecondOrder& system,
                                       const integrate::OneStepMap& map,
                                       const model::OutputMap& outputs);

/// The program of a linear system. @throws InvalidInput if sizes and names disagree.
[[nodiscard]] Program linear_program(const LinearSteps& steps, const ProgramOptions& options);

/// The rows of inputs that steps take, from inputs at the samples (samples x inputs). Between the
/// samples a Polynomial is the cubic spline through all samples: it is known afterwards only.
[[nodiscard]] Eigen::MatrixXd input_rows(const LinearSteps& steps,
                                         const Eigen::Ref<const Eigen::MatrixXd>& inputs);

}  // namespace alembert::code
