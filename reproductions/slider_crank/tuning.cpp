#include "reproductions/slider_crank/tuning.hpp"

#include <cmath>
#include <limits>

#include "alembert/optimize/minimise.hpp"

namespace alembert::reproductions {
namespace {

constexpr std::uint64_t kTrainingSeed = 100;
constexpr double kLowestLevel = -12.0;
constexpr double kHighestLevel = 6.0;

/// The numbers behind the levels.
std::vector<double*> level_values(CrankCase& one) {
  estimate::InputFormNoise& input = one.options.input_noise;
  double* const density = &one.options.output_noise.density.front();
  switch (one.tuning) {
    case CrankTuning::Levels:
      return {&input.kinematic[1], &input.kinematic[2], &input.random_walk[1],
              &input.random_walk[2]};
    case CrankTuning::Density:
      return {density};
    case CrankTuning::DensityAndSensor:
      return {density, &one.model.accelerometer_sigma};
    case CrankTuning::None:
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

Eigen::VectorXd crank_levels(const CrankCase& one) {
  CrankCase copy = one;
  const std::vector<double*> values = level_values(copy);
  Eigen::VectorXd levels(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    levels(static_cast<Eigen::Index>(i)) = std::log10(*values[i]);
  }
  return levels;
}

void set_crank_levels(const Eigen::VectorXd& levels, CrankCase& one) {
  const std::vector<double*> values = level_values(one);
  for (std::size_t i = 0; i < values.size(); ++i) {
    *values[i] = std::pow(10.0, levels(static_cast<Eigen::Index>(i)));
  }
}

double crank_cost(const CrankCase& one, const CrankRecord& record) {
  const CrankErrors errors = crank_errors(one, record);
  const double cost = errors.velocity / 0.05 + errors.acceleration / 2.0;
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
}

TunedCrank tune_crank(const CrankCase& one, double seconds, const StopFlag* stop) {
  TunedCrank tuned;
  tuned.one = one;
  const CrankRecord record = published_crank_record(seconds, kTrainingSeed, one.bias);
  optimize::Problem problem;
  problem.parameters = level_parameters(crank_levels(one));
  problem.objective.cost = [&](const Eigen::VectorXd& levels) {
    set_crank_levels(levels, tuned.one);
    return crank_cost(tuned.one, record);
  };
  // Errors of other records differ by some percent: smaller gains are nothing.
  const optimize::Minimum found = optimize::minimise(problem, {.max_evaluations = 400,
                                                               .cost_tolerance = 1e-3,
                                                               .step_tolerance = 1e-2,
                                                               .max_restarts = 2,
                                                               .stop = stop});
  set_crank_levels(found.parameters, tuned.one);
  static_cast<Outcome&>(tuned) = found;
  tuned.cost = found.cost;
  tuned.evaluations = found.evaluations;
  return tuned;
}

}  // namespace alembert::reproductions
