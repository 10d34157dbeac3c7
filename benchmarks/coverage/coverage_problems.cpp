#include "benchmarks/coverage/coverage_problems.hpp"

#include <cmath>
#include <memory>
#include <numbers>

#include "alembert/identify/acceleration_refine.hpp"
#include "alembert/identify/output_error.hpp"
#include "benchmarks/coverage/differing_problems.hpp"
#include "benchmarks/coverage/matrices_problems.hpp"
#include "benchmarks/coverage/noise_colours.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A force of steps of random height, held for a random number of samples.
VectorXd random_steps(Index samples, Index longest, std::uint64_t seed) {
  RandomStream random(seed);
  VectorXd force(samples);
  double height = 0.0;
  Index left = 0;
  for (Index k = 0; k < samples; ++k, --left) {
    if (left == 0) {
      height = random.normal();
      left = 1 + static_cast<Index>(random.below(static_cast<std::uint32_t>(longest)));
    }
    force(k) = height;
  }
  return force;
}

struct EquationCase {
  std::string name, equations;
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, double>> truth;
  std::vector<model::EquationStart> starts;
  double step = 0.0;
  Index samples = 0;
  Index longest = 0;       // of the steps of the input, samples
  double resonance = 0.0;  // cycles per sample
  double window = 0.0;     // s
};

CoverageRun found_by(const identify::OutputErrorResult& found, const VectorXd& truth,
                     const std::vector<std::string>& names) {
  CoverageRun run;
  run.ok = found.ok() && found.coloured.ok() && found.statistics.names == names;
  if (!run.ok) return run;
  run.error = found.parameters.head(truth.size()) - truth;
  run.deviation = found.coloured.deviations;
  run.margin = found.coloured.half_widths();
  run.white = found.statistics.deviations;
  run.knowledge = found.coloured.knowledge;
  return run;
}

CoverageProblem equation_problem(const EquationCase& one) {
  CoverageProblem problem{
      .name = one.name, .parameters = {}, .noises = noise_colours(), .identify = {}};
  model::EquationSetup setup;
  setup.inputs.push_back({"u", ""});
  for (const std::string& name : one.outputs) setup.outputs.push_back({name, ""});
  VectorXd truth(static_cast<Index>(one.truth.size()));
  std::vector<optimize::Parameter> guesses;
  for (const auto& [name, value] : one.truth) {
    setup.parameters.push_back({name, ""});
    truth(static_cast<Index>(guesses.size())) = value;
    guesses.push_back({.name = name, .guess = value});
    problem.parameters.push_back(name);
  }
  setup.starts = one.starts;
  const auto compiled = std::make_shared<model::CompiledEquations>(
      model::parse_equations(one.equations, setup),
      model::EngineOptions{.kind = model::EngineKind::Interpreter});
  identify::Experiment clean{
      .input = random_steps(one.samples, one.longest, 5),
      .output = MatrixXd::Zero(one.samples, static_cast<Index>(one.outputs.size())),
      .step = one.step};
  clean.output = identify::simulate_equations(*compiled, truth, {clean}).outputs.front();
  problem.identify = [=, names = problem.parameters](const std::string& colour, std::uint64_t run) {
    identify::Experiment record = clean;
    add_noise({colour, one.resonance, 0.05}, run, record.output);
    identify::OutputErrorOptions options;
    options.strategy = identify::StartStrategy::Plain;
    options.window = one.window;
    options.threads = 1;
    return found_by(identify::output_error(*compiled, guesses, {record}, options), truth, names);
  };
  return problem;
}

// The decay of an oscillator with a hardening spring, its acceleration measured.
CoverageProblem acceleration_problem() {
  const identify::EquationOfMotion equation =
      identify::read_equation_of_motion("x'' + a*x' + b*x + c*x^3 = 0");
  const VectorXd truth = Eigen::Vector3d(0.12, 30.0, 9.0);
  constexpr double kStep = 0.02;
  constexpr Index kSamples = 1600;
  const identify::SimulatedMotion motion =
      identify::simulate_motion(equation, truth, 1.0, 0.0, kStep, kSamples);
  CoverageProblem problem{.name = "acceleration",
                          .parameters = {"a", "b", "c", "x0", "v0"},
                          .noises = noise_colours(),
                          .identify = {}};
  problem.identify = [=](const std::string& colour, std::uint64_t run) {
    MatrixXd measured = motion.acceleration;
    add_noise({colour, std::sqrt(30.0) / (2.0 * std::numbers::pi) * kStep, 0.05}, run, measured);
    identify::AccelerationRecord record;
    record.step = kStep;
    record.acceleration = measured.col(0);
    identify::FitGuess start;
    start.parameters = truth;
    start.x0 = 1.0;
    start.v0 = 0.0;
    const identify::RefinedEquation found = identify::refine_equation(
        equation, record, start, false, {.engine = model::EngineKind::Interpreter});
    VectorXd all(5);
    all << truth, 1.0, 0.0;
    return found_by(found.search, all, found.search.statistics.names);
  };
  return problem;
}

}  // namespace

std::vector<CoverageProblem> coverage_problems() {
  const EquationCase pendulum{.name = "pendulum",
                              .equations = "p' = v\nv' = -w*sin(p) - d*v + g*u",
                              .outputs = {"p"},
                              .truth = {{"w", 9.0}, {"d", 0.3}, {"g", 1.5}, {"p0", 0.5}},
                              .starts = {{"p", "p0"}},
                              .step = 0.04,
                              .samples = 1200,
                              .longest = 60,
                              .resonance = 0.02};
  EquationCase windows = pendulum;
  windows.name = "pendulum in windows";
  windows.truth.pop_back();
  windows.starts = {{"p", "0.5"}};
  windows.window = 8.0;
  const EquationCase tanks{.name = "two vessels, both measured",
                           .equations = "x' = -a*x + b*u\ny' = c*x - d*y",
                           .outputs = {"x", "y"},
                           .truth = {{"a", 0.8}, {"b", 1.5}, {"c", 0.5}, {"d", 0.25}},
                           .starts = {},
                           .step = 0.1,
                           .samples = 1000,
                           .longest = 80,
                           .resonance = 0.02};
  return {equation_problem(pendulum), equation_problem(windows), equation_problem(tanks),
          matrices_problem(),         force_noise_problem(),     acceleration_problem(),
          differing_problem()};
}

}  // namespace alembert::benchmark
