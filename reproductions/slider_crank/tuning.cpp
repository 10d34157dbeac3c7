#include "reproductions/slider_crank/tuning.hpp"

#include <cmath>
#include <limits>

#include "alembert/optimize/minimise.hpp"
#include "reproductions/slider_crank/score.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

constexpr std::uint64_t kTrainingSeed = 100;
constexpr double kLowestLevel = -12.0;
constexpr double kHighestLevel = 6.0;

/// The numbers behind the levels.
std::vector<double*> level_values(Case& one) {
  estimate::InputFormNoise& input = one.options.input_noise;
  double* const density = &one.options.output_noise.density.front();
  switch (one.tuning) {
    case Tuning::Levels:
      return {&input.kinematic[1], &input.kinematic[2], &input.random_walk[1],
              &input.random_walk[2]};
    case Tuning::Density:
      return {density};
    case Tuning::DensityAndSensor:
      return {density, &one.model.accelerometer_sigma};
    case Tuning::None:
      break;
  }
  return {};
}

std::vector<optimize::Parameter> level_parameters(const Eigen::VectorXd& levels) {
  std::vector<optimize::Parameter> parameters;
  for (Eigen::Index i = 0; i < levels.size(); ++i) {
    parameters.push_back({.name = "level " + std::to_string(i + 1),
                          .guess = levels(i),
                          .lower = kLowestLevel,
                          .upper = kHighestLevel,
                          .scale = 1.0});
  }
  return parameters;
}

}  // namespace

Eigen::VectorXd levels_of(const Case& one) {
  Case copy = one;
  const std::vector<double*> values = level_values(copy);
  Eigen::VectorXd levels(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    levels(static_cast<Eigen::Index>(i)) = std::log10(*values[i]);
  }
  return levels;
}

void set_levels(const Eigen::VectorXd& levels, Case& one) {
  const std::vector<double*> values = level_values(one);
  for (std::size_t i = 0; i < values.size(); ++i) {
    *values[i] = std::pow(10.0, levels(static_cast<Eigen::Index>(i)));
  }
}

double cost_of(const Case& one, const Record& record) {
  const Errors errors = errors_of(one, record);
  const double cost = errors.velocity / 0.05 + errors.acceleration / 2.0;
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
}

Tuned tune(const Case& one, double seconds, const StopFlag* stop) {
  Tuned tuned;
  tuned.one = one;
  const Record record = crank_record(seconds, kTrainingSeed, one.bias);
  optimize::Problem problem;
  problem.parameters = level_parameters(levels_of(one));
  problem.objective.cost = [&](const Eigen::VectorXd& levels) {
    set_levels(levels, tuned.one);
    return cost_of(tuned.one, record);
  };
  // Errors of other records differ by some percent: smaller gains are nothing.
  const optimize::Minimum found = optimize::minimise(problem, {.max_evaluations = 400,
                                                               .cost_tolerance = 1e-3,
                                                               .step_tolerance = 1e-2,
                                                               .max_restarts = 2,
                                                               .stop = stop});
  set_levels(found.parameters, tuned.one);
  static_cast<Outcome&>(tuned) = found;
  tuned.cost = found.cost;
  tuned.evaluations = found.evaluations;
  return tuned;
}

}  // namespace alembert::reproductions::slider_crank
