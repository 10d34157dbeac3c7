#include "alembert/integrate/linear_simulation.hpp"
#include "study/discretisation_parts.hpp"

namespace alembert::study {

namespace {

using integrate::Hold;
using integrate::Method;

// Relative errors at or below are rounding of a few thousand steps.
constexpr double kRoundingFloor = 1e-12;
constexpr Eigen::Index kFittedRungs = 3;
constexpr Eigen::Index kCoarsestSteps = 60;

struct Candidate {
  std::string name;
  double order;
  integrate::LinearSimulationOptions options;
};

std::vector<Candidate> for_smooth_input() {
  return {{"variational midpoint", 2, {.method = Method::Variational}},
          {"Newmark 1/4, 1/2", 2, {.method = Method::Newmark}},
          {"Newmark 1/6, 1/2", 2, {.method = Method::Newmark, .newmark_beta = 1.0 / 6.0}},
          {"exact, zero hold", 1, {.hold = Hold::Zero}},
          {"exact, linear hold", 2, {.hold = Hold::Linear}},
          {"exact, cubic hold", 4, {.hold = Hold::Cubic}}};
}

std::vector<Candidate> for_polynomial_input() {
  return {{"Gauss 1", 2, {.method = Method::Gauss, .gauss_stages = 1}},
          {"Gauss 2", 4, {.method = Method::Gauss, .gauss_stages = 2}},
          {"Gauss 3", 6, {.method = Method::Gauss, .gauss_stages = 3}}};
}

double error(const TestSystem& test, const ReferenceMotion& motion, double step,
             const integrate::LinearSimulationOptions& options) {
  const integrate::Trajectory result =
      integrate::simulate(test.system, motion.input, step, motion.q0, motion.v0, options);
  return (result.displacement - motion.displacement).cwiseAbs().maxCoeff() /
         motion.displacement.cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<IntegratorConvergence> measure_orders(const TestSystem& test, Eigen::Index rungs) {
  Eigen::VectorXd steps(rungs);
  for (Eigen::Index i = 0; i < rungs; ++i) {
    steps(i) = test.duration / static_cast<double>(kCoarsestSteps << i);
  }
  const auto samples = [&](double step) {
    return static_cast<Eigen::Index>(test.duration / step + 0.5) + 1;
  };
  const integrate::ConvergenceOptions fit{.floor = kRoundingFloor, .points = kFittedRungs};
  std::vector<IntegratorConvergence> rows;
  for (const Candidate& candidate : for_smooth_input()) {
    rows.push_back({test.name, candidate.name, "multisine", candidate.order,
                    integrate::measure_convergence(
                        steps,
                        [&](double h) {
                          return error(test, steady_motion(test.system, h, samples(h)), h,
                                       candidate.options);
                        },
                        fit)});
  }
  for (const Candidate& candidate : for_polynomial_input()) {
    rows.push_back({test.name, candidate.name, "cubic polynomial", candidate.order,
                    integrate::measure_convergence(
                        steps,
                        [&](double h) {
                          return error(test,
                                       decaying_motion(test.system, test.duration, h, samples(h)),
                                       h, candidate.options);
                        },
                        fit)});
  }
  return rows;
}

}  // namespace alembert::study
