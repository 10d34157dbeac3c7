#include "benchmarks/coverage/differing_problems.hpp"

#include <cmath>
#include <map>
#include <memory>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"
#include "benchmarks/coverage/noise_colours.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Model = std::shared_ptr<const model::CompiledEquations>;

constexpr Index kExperiments = 12;
constexpr Index kLength = 200;
constexpr double kTimeStep = 0.04;
// Experiments of the fit that gives what is sought: its own error is √(12/240) = 0.22 of that of a
// run, which takes a share of 0.95 to 0.945.
constexpr std::uint64_t kVeryMany = 240;

const std::map<std::string, double>& spreads() {
  static const std::map<std::string, double> all = {
      {"alike", 0.0}, {"differ by 1 %", 0.01}, {"differ by 10 %", 0.1}};
  return all;
}

VectorXd typical() { return Eigen::Vector3d(9.0, 0.3, 1.5); }

Model pendulum_model() {
  model::EquationSetup setup;
  setup.inputs.push_back({"u", ""});
  setup.outputs.push_back({"p", ""});
  for (const char* name : {"w", "d", "g"}) setup.parameters.push_back({name, ""});
  return std::make_shared<model::CompiledEquations>(
      model::parse_equations("p' = v\nv' = -w*sin(p) - d*v + g*u", setup),
      model::EngineOptions{.kind = model::EngineKind::Interpreter});
}

// A force of steps, and parameters of its own; 5 % white noise.
identify::Experiment experiment(const Model& model, double spread, std::uint64_t number) {
  RandomStream random(77, number);
  identify::Experiment result{
      .input = MatrixXd(kLength, 1), .output = MatrixXd::Zero(kLength, 1), .step = kTimeStep};
  double height = 0.0;
  for (Index k = 0; k < kLength; ++k) {
    if (k % 25 == 0) height = random.normal();
    result.input(k, 0) = height;
  }
  const VectorXd theta = typical().array() * (spread * random.normal_vector(3).array()).exp();
  result.output = identify::simulate_equations(*model, theta, {result}).outputs.front();
  add_noise({"white", 0.0, 0.05}, number, result.output);
  return result;
}

identify::OutputErrorResult fitted(const Model& model, const identify::Experiments& data,
                                   bool statistics) {
  std::vector<optimize::Parameter> guesses;
  for (const char* name : {"w", "d", "g"}) {
    guesses.push_back({.name = name, .guess = typical()(static_cast<Index>(guesses.size()))});
  }
  identify::OutputErrorOptions options;
  options.strategy = identify::StartStrategy::Plain;
  options.threads = 1;
  options.statistics = statistics;
  return identify::output_error(*model, guesses, data, options);
}

}  // namespace

CoverageProblem differing_problem() {
  const Model model = pendulum_model();
  CoverageProblem problem{.name = "pendulum, experiments that differ",
                          .parameters = {"w", "d", "g"},
                          .noises = {},
                          .identify = {}};
  std::map<std::string, VectorXd> sought;
  for (const auto& [name, spread] : spreads()) {
    problem.noises.push_back(name);
    identify::Experiments many;
    for (std::uint64_t e = 0; e < kVeryMany; ++e) {
      many.push_back(experiment(model, spread, 1000000 + e));
    }
    sought[name] = spread > 0.0 ? fitted(model, many, false).parameters : typical();
  }
  problem.identify = [=](const std::string& name, std::uint64_t run) {
    identify::Experiments data;
    for (Index e = 0; e < kExperiments; ++e) {
      data.push_back(experiment(model, spreads().at(name),
                                run * kExperiments + static_cast<std::uint64_t>(e)));
    }
    const identify::OutputErrorResult found = fitted(model, data, true);
    CoverageRun result;
    result.ok = found.ok() && found.coloured.ok();
    if (!result.ok) return result;
    result.error = found.parameters - sought.at(name);
    result.deviation = found.coloured.deviations;
    result.margin = found.coloured.half_widths();
    result.white = found.statistics.deviations;
    result.knowledge = found.coloured.knowledge;
    return result;
  };
  return problem;
}

}  // namespace alembert::benchmark
