#include <limits>

#include "alembert/integrate/linear_simulation.hpp"
#include "reproductions/discretisation/parts.hpp"

namespace alembert::reproductions::discretisation {

namespace {

using integrate::Method;

// Relative errors at or below are rounding of a few thousand steps.
constexpr double kRoundingFloor = 1e-12;
constexpr Eigen::Index kFittedRungs = 3;
constexpr Eigen::Index kCoarsestSteps = 60;

enum class Input { Multisine, Polynomial };

struct Integrator {
  std::string name;
  double order;
  Input input;
  integrate::LinearSimulationOptions options;
};

std::vector<Integrator> integrators() {
  using enum Input;
  return {
      {"variational midpoint", 2, Multisine, {.method = Method::Variational}},
      {"Newmark 1/4, 1/2", 2, Multisine, {.method = Method::Newmark}},
      {"Newmark 1/6, 1/2", 2, Multisine, {.method = Method::Newmark, .newmark_beta = 1.0 / 6.0}},
      {"exact, zero hold", 1, Multisine, {.hold = signal::BetweenSamples::Held}},
      {"exact, linear hold", 2, Multisine, {.hold = signal::BetweenSamples::Linear}},
      {"exact, cubic hold", 4, Multisine, {.hold = signal::BetweenSamples::Cubic}},
      {"Gauss 1", 2, Polynomial, {.method = Method::Gauss, .gauss_stages = 1}},
      {"Gauss 2", 4, Polynomial, {.method = Method::Gauss, .gauss_stages = 2}},
      {"Gauss 3", 6, Polynomial, {.method = Method::Gauss, .gauss_stages = 3}}};
}

ReferenceMotion reference(const TestSystem& test, Input input, double step) {
  const Eigen::Index samples = static_cast<Eigen::Index>(test.duration / step + 0.5) + 1;
  return input == Input::Multisine ? steady_motion(test.system, step, samples)
                                   : decaying_motion(test.system, test.duration, step, samples);
}

// NaN after a stop request.

double error(const TestSystem& test, const ReferenceMotion& motion, double step,
             const integrate::LinearSimulationOptions& options) {
  const integrate::Trajectory result =
      integrate::simulate(test.system, motion.input, step, motion.q0, motion.v0, options);
  if (!result.ok()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return (result.displacement - motion.displacement).cwiseAbs().maxCoeff() /
         motion.displacement.cwiseAbs().maxCoeff();
}

}  // namespace

std::size_t order_candidates() { return integrators().size(); }

std::optional<IntegratorConvergence> measure_order(const TestSystem& test, std::size_t candidate,
                                                   Eigen::Index rungs, const StopFlag* stop) {
  Integrator chosen = integrators().at(candidate);
  chosen.options.stop = stop;
  Eigen::VectorXd steps(rungs);
  for (Eigen::Index i = 0; i < rungs; ++i) {
    steps(i) = test.duration / static_cast<double>(kCoarsestSteps << i);
  }
  IntegratorConvergence row{
      .system = test.name,
      .integrator = chosen.name,
      .input = chosen.input == Input::Multisine ? "multisine" : "cubic polynomial",
      .expected = chosen.order,
      .convergence = integrate::measure_convergence(
          steps,
          [&](double h) {
            return error(test, reference(test, chosen.input, h), h, chosen.options);
          },
          {.floor = kRoundingFloor, .points = kFittedRungs})};
  if (stop != nullptr && stop->requested()) {
    return std::nullopt;
  }
  return row;
}

}  // namespace alembert::reproductions::discretisation
