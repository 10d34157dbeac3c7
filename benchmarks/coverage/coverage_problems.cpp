#include "benchmarks/coverage/coverage_problems.hpp"

#include <cmath>
#include <memory>
#include <numbers>

#include "alembert/identify/acceleration_refine.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "benchmarks/coverage/noise_colours.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoise = 0.05;  // of the rms of an output

double rms(const VectorXd& values) {
  return std::sqrt((values.array() - values.mean()).square().mean());
}

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

// Adds noise to all columns, each of its own stream.
void add_noise(const std::string& colour, double resonance, std::uint64_t run, MatrixXd& outputs) {
  for (Index i = 0; i < outputs.cols(); ++i) {
    RandomStream random(20261117, 100 * run + static_cast<std::uint64_t>(i));
    const double size = kNoise * rms(outputs.col(i));
    outputs.col(i) += size * coloured_noise(colour, outputs.rows(), resonance, random);
  }
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
  CoverageProblem problem{.name = one.name, .parameters = {}, .identify = {}};
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
    add_noise(colour, one.resonance, run, record.output);
    identify::OutputErrorOptions options;
    options.strategy = identify::StartStrategy::Plain;
    options.window = one.window;
    options.threads = 1;
    return found_by(identify::output_error(*compiled, guesses, {record}, options), truth, names);
  };
  return problem;
}

// Two masses in a chain, both forced, both positions measured; M, D, K free.
CoverageProblem matrices_problem() {
  model::SecondOrder system;
  system.M = (MatrixXd(2, 2) << 1.2, 0.0, 0.0, 0.8).finished();
  system.D = (MatrixXd(2, 2) << 0.9, -0.4, -0.4, 0.7).finished();
  system.K = (MatrixXd(2, 2) << 60.0, -25.0, -25.0, 40.0).finished();
  system.L = MatrixXd::Identity(2, 2);
  constexpr Index kSamples = 1500;
  constexpr double kStep = 0.03;
  // Sums of sines are smooth between samples.
  MatrixXd force = MatrixXd::Zero(kSamples, 2);
  RandomStream random(11);
  for (int j = 1; j <= 40; ++j) {
    for (Index i = 0; i < 2; ++i) {
      const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
      for (Index k = 0; k < kSamples; ++k) {
        force(k, i) +=
            std::sin(2.0 * std::numbers::pi * 0.06 * j * kStep * static_cast<double>(k) + phase);
      }
    }
  }
  const integrate::Trajectory motion =
      integrate::simulate(system, force, kStep, VectorXd::Zero(2), VectorXd::Zero(2));
  const identify::LinearProblem linear{
      system.L,
      {MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 2)},
      identify::free_matrices(2)};
  const identify::Matrices truth{system.M, system.D, system.K};
  const VectorXd theta = identify::nearest_parameters(linear.unknowns, truth);
  CoverageProblem problem{.name = "M, D, K", .parameters = linear.unknowns.names, .identify = {}};
  problem.identify = [=](const std::string& colour, std::uint64_t run) {
    identify::Experiment record{.input = force, .output = motion.displacement, .step = kStep};
    // Near the first natural frequency, 0.9 Hz.
    add_noise(colour, 0.9 * kStep, run, record.output);
    const identify::Refinement found = identify::refine(linear, {record}, truth);
    CoverageRun result;
    result.ok = found.ok() && found.coloured.ok() && found.coloured.deviations.size() > 0;
    if (!result.ok) return result;
    result.error = found.theta - theta;
    result.deviation = found.coloured.deviations.head(theta.size());
    result.margin = found.coloured.half_widths().head(theta.size());
    result.white = found.white_covariance.diagonal().cwiseSqrt();
    result.knowledge = found.coloured.knowledge;
    return result;
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
  CoverageProblem problem{
      .name = "acceleration", .parameters = {"a", "b", "c", "x0", "v0"}, .identify = {}};
  problem.identify = [=](const std::string& colour, std::uint64_t run) {
    MatrixXd measured = motion.acceleration;
    add_noise(colour, std::sqrt(30.0) / (2.0 * std::numbers::pi) * kStep, run, measured);
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
          matrices_problem(), acceleration_problem()};
}

}  // namespace alembert::benchmark
