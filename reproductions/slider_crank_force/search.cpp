#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"
#include "alembert/optimize/minimise.hpp"
#include "reproductions/slider_crank_force/observers.hpp"

namespace alembert::reproductions::slider_crank_force {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Records = std::vector<Eigen::MatrixXd>;

constexpr std::uint64_t kFirstTraining = 100;
constexpr double kLowestLevel = -12.0;
constexpr double kHighestLevel = 12.0;

Records records_of(const SliderMotion& motion, std::uint64_t first, int count) {
  Records records;
  for (int i = 0; i < count; ++i) {
    records.push_back(noisy_readings(motion, first + static_cast<std::uint64_t>(i)));
  }
  return records;
}

ForceErrors mean_errors(const ForceCase& one, const SliderMotion& motion, const Records& records,
                        const VectorXd& levels) {
  ForceErrors mean{0.0, 0.0, 0.0};
  const auto share = 1.0 / static_cast<double>(records.size());
  for (const Eigen::MatrixXd& readings : records) {
    const ForceErrors errors = force_errors(one, motion, readings, levels);
    mean.velocity += share * errors.velocity;
    mean.acceleration += share * errors.acceleration;
    mean.force += share * errors.force;
  }
  return mean;
}

std::vector<optimize::Parameter> level_parameters(const VectorXd& start) {
  std::vector<optimize::Parameter> parameters;
  for (Index i = 0; i < start.size(); ++i) {
    parameters.push_back({.name = "level " + std::to_string(i + 1),
                          .guess = start(i),
                          .lower = kLowestLevel,
                          .upper = kHighestLevel,
                          .scale = 1.0});
  }
  return parameters;
}

// The first start is that of the case, the others lie up to two decades from it.
VectorXd start_of(const ForceCase& one, int number) {
  VectorXd start = one.start;
  if (number == 0) return start;
  RandomStream random(kFirstTraining, static_cast<std::uint64_t>(number));
  for (double& level : start) level += 4.0 * random.uniform() - 2.0;
  return start;
}

}  // namespace

ForceRun run_force_case(const ForceCase& one, const SliderMotion& motion,
                        const ForceEffort& effort) {
  const Records training = records_of(motion, kFirstTraining, effort.training);
  ForceRun run;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < effort.starts; ++k) {
    optimize::Problem problem;
    problem.parameters = level_parameters(start_of(one, k));
    problem.objective.cost = [&](const VectorXd& levels) {
      const ForceErrors errors = mean_errors(one, motion, training, levels);
      const double cost = errors.velocity / 0.085 + errors.acceleration / 1.8 + errors.force / 4.3;
      return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
    };
    // Errors of other records differ by some percent: smaller gains are nothing.
    const optimize::Minimum found =
        optimize::minimise(problem, {.max_evaluations = effort.evaluations,
                                     .cost_tolerance = 1e-3,
                                     .step_tolerance = 1e-2,
                                     .max_restarts = 2,
                                     .stop = effort.stop});
    if (found.status == Status::Stopped) return run;
    if (!(found.cost < best)) continue;
    best = found.cost;
    run.levels = found.parameters;
  }
  if (run.levels.size() == 0) run.levels = one.start;
  run.errors = mean_errors(one, motion, records_of(motion, 1, effort.test), run.levels);
  run.finished = true;
  return run;
}

}  // namespace alembert::reproductions::slider_crank_force
