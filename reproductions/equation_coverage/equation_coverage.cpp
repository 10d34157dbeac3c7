#include "reproductions/equation_coverage/equation_coverage.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/optimize/student.hpp"
#include "reproductions/tanks/models.hpp"

namespace alembert::reproductions::equation_coverage {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::size_t kRecords = 200;

/// A model with known parameters, and how its records are made.
struct CoverageCase {
  std::string name;
  model::CompiledEquations equations;
  std::vector<optimize::Parameter> parameters;
  VectorXd truth;
  Index samples;
  double step;          ///< s
  double clock;         ///< s, for which the input is held
  double lower, upper;  ///< of the input
  double noise;
  identify::SimulationOptions simulation;
};

CoverageCase duffing_case() {
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{"x", {}}};
  setup.parameters = {{"d", {}}, {"k", {}}, {"a", {}}, {"x0", {}}};
  setup.starts = {{"x", "x0"}};
  return {.name = "Duffing",
          .equations = model::CompiledEquations(
              model::parse_equations("x'' = u - d*x' - k*x - a*x^3", setup)),
          .parameters = {{.name = "d", .guess = 0.3},
                         {.name = "k", .guess = 5.0},
                         {.name = "a", .guess = 1.5},
                         {.name = "x0", .guess = 0.8}},
          .truth = Eigen::Vector4d(0.25, 4.0, 2.0, 1.0),
          .samples = 400,
          .step = 0.05,
          .clock = 0.5,
          .lower = -3.0,
          .upper = 3.0,
          .noise = 0.02,
          .simulation = {.substeps = 2}};
}

// Levels as in the measured benchmark; the input now and then lets the upper tank spill.
CoverageCase tanks_case() {
  tanks::Model tanks = tanks::extended_model("tanks", {});
  VectorXd truth(6);
  truth << 0.042, 0.046, 0.67, 4.9, 5.2, 0.4;
  return {.name = "tanks",
          .equations = tanks.equations,
          .parameters = tanks.parameters,
          .truth = truth,
          .samples = 1024,
          .step = 4.0,
          .clock = 160.0,
          .lower = 1.5,
          .upper = 5.0,
          .noise = 0.05,
          .simulation = {.substeps = 8}};
}

identify::Experiments coverage_record(const CoverageCase& made, std::uint64_t stream) {
  RandomStream random(12001, stream);
  const auto held = static_cast<Index>(std::llround(made.clock / made.step));
  VectorXd input(made.samples);
  double level = 0.0;
  for (Index k = 0; k < made.samples; ++k) {
    if (k % held == 0) level = random.uniform(made.lower, made.upper);
    input(k) = level;
  }
  identify::Experiments data{
      {.input = input, .output = VectorXd::Zero(made.samples), .step = made.step}};
  identify::SimulationOptions fine = made.simulation;
  fine.substeps *= 8;
  data.front().output =
      identify::simulate_equations(made.equations, made.truth, data, fine).outputs.front() +
      made.noise * random.normal_vector(made.samples);
  return data;
}

struct EquationCoverageRun {
  bool finished = false;
  bool converged = false;
  VectorXd covered, ratio;  ///< 1 where the interval holds the truth; (θ̂ - θ)/deviation
};

EquationCoverageRun equation_coverage_run(const CoverageCase& made, std::uint64_t stream) {
  const identify::OutputErrorResult found =
      identify::output_error(made.equations, made.parameters, coverage_record(made, stream),
                             {.simulation = made.simulation, .threads = 1});
  EquationCoverageRun run;
  run.finished = true;
  const auto p = static_cast<Index>(made.parameters.size());
  run.converged = found.ok() && found.statistics.ok() && found.statistics.deviations.size() == p;
  run.covered = run.ratio = VectorXd::Zero(p);
  if (!run.converged) return run;
  const double t = optimize::student_quantile(0.975, static_cast<double>(found.statistics.freedom));
  for (Index i = 0; i < p; ++i) {
    run.ratio(i) = (found.parameters(i) - made.truth(i)) / found.statistics.deviations(i);
    run.covered(i) = std::abs(run.ratio(i)) <= t ? 1.0 : 0.0;
  }
  return run;
}

void add_case(const CoverageCase& made, const ReproduceOptions& options, Reproduction& result) {
  std::vector<EquationCoverageRun> runs(kRecords);
  parallel_for(
      runs.size(), [&](std::size_t i) { runs[i] = equation_coverage_run(made, i); },
      options.parallel);
  const auto p = static_cast<Index>(made.parameters.size());
  double converged = 0.0;
  VectorXd covered = VectorXd::Zero(p);
  VectorXd squares = VectorXd::Zero(p);
  for (const EquationCoverageRun& run : runs) {
    if (!run.finished) {
      result.status = Status::Stopped;
      result.message = "stopped on request; no claim is made";
      return;
    }
    converged += run.converged ? 1.0 : 0.0;
    covered += run.covered;
    squares += run.ratio.cwiseAbs2();
  }
  Table table{.id = "coverage-" + made.name,
              .title = made.name,
              .header = {"parameter", "truth", "covered, %", "rms error / deviation"},
              .caption = fmt::format("{} records of {} samples.", kRecords, made.samples)};
  table.values.resize(p, 3);
  for (Index i = 0; i < p; ++i) {
    table.rows.push_back({made.parameters[static_cast<std::size_t>(i)].name});
    table.values.row(i) << made.truth(i), 100.0 * covered(i) / converged,
        std::sqrt(squares(i) / converged);
  }
  result.claims.push_back(promised({.name = made.name + ": share of fits that converged",
                                    .measured = 100.0 * converged / kRecords,
                                    .unit = "%",
                                    .target = ">= 99",
                                    .source = "own promise"}));
  result.claims.push_back(promised({.name = made.name + ": truth inside the 95 % interval",
                                    .measured = table.values.col(1).mean(),
                                    .unit = "%",
                                    .target = "92 .. 98",
                                    .source = "own promise: nominal 95 %"}));
  result.tables.push_back(std::move(table));
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "equation-coverage";
  result.title = "How often the 95 % intervals of equation parameters hold";
  result.summary =
      "Records simulated with known parameters, new input and noise in each, and fitted with "
      "Levenberg-Marquardt. An oscillator that is smooth, and two tanks of which one spills.";
  add_case(duffing_case(), options, result);
  if (result.ok()) add_case(tanks_case(), options, result);
  return result;
}

}  // namespace alembert::reproductions::equation_coverage
