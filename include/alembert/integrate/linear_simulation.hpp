#pragma once

#include <Eigen/Core>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// The rule that advances q and q' by one step.
enum class Method {
  Exact,        ///< matrix exponential of the state augmented by the input polynomial
  Variational,  ///< midpoint variational integrator = Tustin transform (input: plain samples)
  Newmark,      ///< implicit Newmark; β, γ below
  Gauss         ///< Gauss collocation, order 2 gauss_stages
};
constexpr auto enum_names(Method) {
  return std::to_array<EnumName<Method>>({{Method::Exact, "exact"},
                                          {Method::Variational, "variational"},
                                          {Method::Newmark, "newmark"},
                                          {Method::Gauss, "gauss"}});
}

/// Whether a method follows the hold between samples: Exact and Gauss do, the others use the
/// samples.
[[nodiscard]] constexpr bool uses_hold(Method method) noexcept {
  return method == Method::Exact || method == Method::Gauss;
}

struct LinearSimulationOptions {
  Method method = Method::Exact;
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;  ///< used if uses_hold(method)
  double newmark_beta = 0.25;  ///< 1/4, 1/2: constant average acceleration, second order
  double newmark_gamma = 0.5;  ///< as newmark_beta
  int gauss_stages = 2;        ///< 1, 2 or 3
  const StopFlag* stop = nullptr;
};

/// Motion of all coordinates at the sample times; N x n each.
///
/// After NotFinite or Stopped only the rows before the sample named in the message are there.
struct Trajectory : Outcome {
  Eigen::MatrixXd displacement, velocity, acceleration;

  [[nodiscard]] Eigen::Index samples() const noexcept { return displacement.rows(); }
};

/// Simulates M q'' + D q' + K q = L u from (q0, v0) on the input samples u (N x m).
///
/// Accelerations come from the equation of motion at the sample; with signal::BetweenSamples::Held
/// the input is taken from the interval that begins there. Costs O(n³) once and O(n²) a sample;
/// memory is that of the result and, with signal::BetweenSamples::Cubic, one slope for each input
/// sample. One thread. Status NotFinite with the sample at which the motion left the range of
/// doubles.
/// @throws InvalidInput if sizes disagree, step <= 0, the input, q0 or v0 has a NaN, or as the
///   method's map: exact_map(), midpoint_map(), newmark_map(), gauss_map().
Trajectory simulate(const model::SecondOrder& system,
                    const Eigen::Ref<const Eigen::MatrixXd>& input, double step,
                    const Eigen::Ref<const Eigen::VectorXd>& q0,
                    const Eigen::Ref<const Eigen::VectorXd>& v0,
                    const LinearSimulationOptions& options = {});

/// The map that simulate() uses.
[[nodiscard]] OneStepMap one_step_map(const model::SecondOrder& system, double step,
                                      const LinearSimulationOptions& options);

/// The same simulation with a map made before, for many records of one system; `options` of the
/// map are already in it. @throws InvalidInput also if the map does not fit the system.
Trajectory simulate(const model::SecondOrder& system, const OneStepMap& map,
                    const Eigen::Ref<const Eigen::MatrixXd>& input,
                    const Eigen::Ref<const Eigen::VectorXd>& q0,
                    const Eigen::Ref<const Eigen::VectorXd>& v0, const StopFlag* stop = nullptr);

/// Outputs y = Cq q + Cv q' + Ca q'', N x outputs.
/// @throws InvalidInput if the sizes disagree.
[[nodiscard]] Eigen::MatrixXd apply(const model::OutputMap& outputs, const Trajectory& trajectory);

}  // namespace alembert::integrate
