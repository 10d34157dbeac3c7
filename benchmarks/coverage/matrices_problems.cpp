#include "benchmarks/coverage/matrices_problems.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include "alembert/identify/refine.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "benchmarks/coverage/noise_colours.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSamples = 1500;
constexpr double kStep = 0.03;
constexpr double kNormal = 1.96;  // modes have no degrees of freedom of their own

// The record without noise, and what is to be found.
struct Chain {
  identify::LinearProblem linear;
  identify::Experiment clean;
  identify::Matrices truth;
  VectorXd theta, modes;  // frequencies, then damping ratios
};

// Both forced by sums of sines, which are smooth between samples.
MatrixXd sums_of_sines() {
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
  return force;
}

VectorXd modes_of(const std::vector<identify::ModeVerdict>& modes,
                  double identify::ModeVerdict::*frequency,
                  double identify::ModeVerdict::*damping) {
  const auto count = static_cast<Index>(modes.size());
  VectorXd result(2 * count);
  for (Index i = 0; i < count; ++i) {
    const identify::ModeVerdict& mode = modes[static_cast<std::size_t>(i)];
    result(i) = mode.*frequency;
    result(count + i) = mode.*damping;
  }
  return result;
}

VectorXd mode_numbers(const std::vector<identify::ModeVerdict>& modes) {
  return modes_of(modes, &identify::ModeVerdict::frequency_hz, &identify::ModeVerdict::damping);
}

VectorXd mode_deviations(const std::vector<identify::ModeVerdict>& modes) {
  return modes_of(modes, &identify::ModeVerdict::frequency_deviation,
                  &identify::ModeVerdict::damping_deviation);
}

Chain chain(double damping) {
  model::SecondOrder system;
  system.M = (MatrixXd(2, 2) << 1.2, 0.0, 0.0, 0.8).finished();
  system.D = damping * (MatrixXd(2, 2) << 0.9, -0.4, -0.4, 0.7).finished();
  system.K = (MatrixXd(2, 2) << 60.0, -25.0, -25.0, 40.0).finished();
  system.L = MatrixXd::Identity(2, 2);
  Chain result{{system.L,
                {MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2), MatrixXd::Zero(2, 2)},
                identify::free_matrices(2)},
               {.input = sums_of_sines(), .output = {}, .step = kStep},
               {system.M, system.D, system.K},
               {},
               {}};
  result.clean.output =
      integrate::simulate(system, result.clean.input, kStep, VectorXd::Zero(2), VectorXd::Zero(2))
          .displacement;
  result.theta = identify::nearest_parameters(result.linear.unknowns, result.truth);
  result.modes = mode_numbers(identify::mode_verdicts(system, MatrixXd::Zero(9, 9)));
  return result;
}

VectorXd stacked(const VectorXd& one, const VectorXd& two) {
  VectorXd result(one.size() + two.size());
  result << one, two;
  return result;
}

CoverageRun found_by(const Chain& chain, const identify::Experiment& record,
                     const identify::RefineOptions& options) {
  const identify::Refinement found = identify::refine(chain.linear, {record}, chain.truth, options);
  CoverageRun run;
  run.ok = found.ok() && found.coloured.ok() && found.coloured.deviations.size() > 0;
  if (!run.ok) return run;
  const Index size = chain.theta.size();
  const auto modes = identify::mode_verdicts(found.system, found.matrix_covariance);
  run.ok = modes.size() == 2;
  if (!run.ok) return run;
  // Deviations of modes under white noise follow from those of M, D, K, which theta lists.
  const auto white = identify::mode_verdicts(found.system, found.white_covariance);
  run.error = stacked(found.theta - chain.theta, mode_numbers(modes) - chain.modes);
  run.deviation = stacked(found.coloured.deviations.head(size), mode_deviations(modes));
  run.margin = stacked(found.coloured.half_widths().head(size), kNormal * mode_deviations(modes));
  run.white = stacked(found.white_covariance.diagonal().cwiseSqrt(), mode_deviations(white));
  run.knowledge = found.coloured.knowledge;
  return run;
}

std::vector<std::string> names_of(const Chain& chain) {
  std::vector<std::string> names = chain.linear.unknowns.names;
  for (const char* name : {"f1", "f2", "ζ1", "ζ2"}) names.emplace_back(name);
  return names;
}

// Noise on the forces, relative to their rms: what there is and what is said.
struct ForceCase {
  double size = 0.0, given = 0.0;
};

const std::map<std::string, ForceCase>& force_cases() {
  static const double k30 = std::pow(10.0, -1.5);
  static const double k20 = 0.1;
  static const std::map<std::string, ForceCase> cases = {
      {"30 dB, given", {k30, k30}},
      {"30 dB, not given", {k30, 0.0}},
      {"20 dB, given", {k20, k20}},
      {"20 dB, not given", {k20, 0.0}},
      {"20 dB, given a fifth too low", {k20, 0.8 * k20}},
      {"20 dB, given a fifth too high", {k20, 1.2 * k20}}};
  return cases;
}

}  // namespace

CoverageProblem matrices_problem() {
  const Chain all = chain(1.0);
  CoverageProblem problem{.name = "M, D, K and modes",
                          .parameters = names_of(all),
                          .noises = noise_colours(),
                          .identify = {}};
  problem.identify = [=](const std::string& colour, std::uint64_t run) {
    identify::Experiment record = all.clean;
    // Near the first natural frequency, 0.9 Hz.
    add_noise({colour, 0.9 * kStep, 0.05}, run, record.output);
    return found_by(all, record, {});
  };
  return problem;
}

CoverageProblem force_noise_problem() {
  const Chain all = chain(0.2);
  CoverageProblem problem{.name = "M, D, K and modes, noise on the forces",
                          .parameters = names_of(all),
                          .noises = {},
                          .identify = {}};
  for (const auto& [name, one] : force_cases()) problem.noises.push_back(name);
  problem.identify = [=](const std::string& noise, std::uint64_t run) {
    const ForceCase& one = force_cases().at(noise);
    identify::Experiment record = all.clean;
    add_noise({"white", 0.0, 0.01}, run, record.output);
    add_noise({"white", 0.0, one.size}, run, record.input, 50);
    identify::RefineOptions options;
    if (one.given > 0.0) {
      options.input_noise =
          one.given *
          (all.clean.input.colwise().norm() / std::sqrt(static_cast<double>(kSamples))).transpose();
    }
    return found_by(all, record, options);
  };
  return problem;
}

}  // namespace alembert::benchmark
