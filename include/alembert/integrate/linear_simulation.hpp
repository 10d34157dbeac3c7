#pragma once

#include <Eigen/Core>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// How the input runs between its samples.
enum class Hold {
  Zero,   ///< constant from each sample to the next
  Linear,  ///< straight line between samples
  Cubic   ///< not-a-knot cubic spline through all samples
};

/// The rule that advances q and q' by one step.
enum class Method {
  Exact,        ///< matrix exponential of the state augmented by the input polynomial
  Variational,  ///< midpoint variational integrator = Tustin transform (input: plain samples)
  Newmark       ///< implicit Newmark; β, γ in NewmarkOptions
};

struct LinearSimulationOptions {
  Method method = Method::Exact;
  Hold hold = Hold::Cubic;     ///< used by Method::Exact only
  double newmark_beta = 0.25;  ///< 1/4, 1/2: constant average acceleration, second order
  double newmark_gamma = 0.5;
  const StopFlag* stop = nullptr;
};

/// Motion of all coordinates at the sample times; N x n each.
struct Trajectory : Outcome {
  Eigen::MatrixXd displacement, velocity, acceleration;
};

/// Simulates M q'' + D q' + K q = L u from (q0, v0) on the input samples u (N x m).
///
/// Accelerations come from the equation of motion at the sample; with Hold::Zero the input is
/// taken from the interval that begins there.
/// Status NotFinite with the sample at which the motion left the range of doubles.
/// @throws InvalidInput if sizes disagree, step <= 0, or the input has a NaN.
Trajectory simulate(const model::SecondOrder& system, const Eigen::Ref<const Eigen::MatrixXd>& input,
                double step, const Eigen::Ref<const Eigen::VectorXd>& q0,
                const Eigen::Ref<const Eigen::VectorXd>& v0,
                const LinearSimulationOptions& options = {});

/// Outputs y = Cq q + Cv q' + Ca q'', N x outputs.
[[nodiscard]] Eigen::MatrixXd apply(const model::OutputMap& outputs, const Trajectory& trajectory);

}  // namespace alembert::integrate
