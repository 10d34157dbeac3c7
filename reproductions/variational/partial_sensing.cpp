#include "alembert/identify/partial_sensing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alembert/identify/weak_form.hpp"
#include "reproductions/variational/linear_methods.hpp"
#include "reproductions/variational/partial_sensing_cases.hpp"
#include "reproductions/variational/variational.hpp"

namespace alembert::reproductions::variational {

namespace {

struct SensingRun {
  bool finished = false;
  bool accepted = false;
  double cost = std::numeric_limits<double>::infinity();  ///< over that of the optimum
  double candidates = 0.0;
  double iterations = 0.0;
  Eigen::Vector3d errors = Eigen::Vector3d::Zero();
  Eigen::Vector3d bound = Eigen::Vector3d::Zero();

  [[nodiscard]] bool at_optimum() const { return cost <= 1.02; }
  /// Accepted in another optimum: its cost is 0.1 % above the right one.
  [[nodiscard]] bool falsely() const { return accepted && !(cost <= 1.001); }
};

void found_by_partial_sensing(const SensingCase& row, const SimulatedCase& simulated,
                              double best_noise_ratio, SensingRun& run) {
  const LinearCase& linear = row.linear;
  const identify::PartialSensing found = identify::identify_partially_sensed(
      simulated.data, linear.system.L, linear.outputs, row.motion);
  run.accepted = found.ok();
  run.candidates = static_cast<double>(found.candidates.size());
  if (found.refinement.noise.size() == 0) return;
  run.iterations = found.refinement.iterations;
  run.errors = identify::relative_differences(matrices_of(found.refinement.system),
                                              matrices_of(linear.system));
  run.cost = noise_ratio(found.refinement.noise, simulated.noise) / best_noise_ratio;
}

void found_by_weak_form(const SensingCase& row, const SimulatedCase& simulated,
                        double best_noise_ratio, SensingRun& run) {
  const identify::WeakFormEstimate weak = identify::weak_form(
      free_problem(row.linear).unknowns, simulated.data, row.linear.system.L, row.motion);
  Estimate start;
  if (weak.ok()) start.matrices = weak.matrices;
  const Estimate found = refined(row.linear, simulated, start, {});
  run.accepted = found.matrices.has_value();
  run.candidates = 1.0;
  if (!run.accepted) return;
  run.iterations = found.iterations;
  run.errors = found.errors;
  run.cost = found.noise_ratio / best_noise_ratio;
}

SensingRun sensing_run(const SensingCase& row, std::uint64_t stream) {
  const LinearCase& linear = row.linear;
  const SimulatedCase simulated = simulate_case(linear, RandomStream(9001, stream));
  Estimate truth;
  truth.matrices = matrices_of(linear.system);
  const Estimate best = refined(linear, simulated, truth, {});
  SensingRun run;
  run.bound = bound(linear, simulated);
  const bool partial = simulated.data.front().output.cols() < linear.system.degrees_of_freedom();
  (partial ? found_by_partial_sensing : found_by_weak_form)(row, simulated, best.noise_ratio, run);
  run.finished = true;
  return run;
}

// The share p at which k or fewer of n runs have a chance of 5 %: the upper 95 % limit.
double upper_limit(double k, double n) {
  double low = 0.0;
  double high = 1.0;
  for (int halving = 0; halving < 60; ++halving) {
    const double p = 0.5 * (low + high);
    double chance = 0.0;
    for (double i = 0.0; i <= k; ++i) {
      chance += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                         i * std::log(p) + (n - i) * std::log1p(-p));
    }
    (chance > 0.05 ? low : high) = p;
  }
  return high;
}

// Columns: at the optimum, accepted, bound M D K, rms/bound M D K, iterations, candidates, falsely
// accepted.
Eigen::RowVectorXd row_values(const SensingRun* runs, std::size_t count) {
  Eigen::RowVectorXd values = Eigen::RowVectorXd::Zero(11);
  Eigen::Vector3d squares = Eigen::Vector3d::Zero();
  Eigen::Vector3d bounds = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    values[0] += runs[i].at_optimum() ? 1.0 : 0.0;
    values[1] += runs[i].accepted ? 1.0 : 0.0;
    squares += runs[i].errors.cwiseAbs2();
    bounds += runs[i].bound.cwiseAbs2();
    values[8] += runs[i].iterations;
    values[9] += runs[i].candidates;
    values[10] += runs[i].falsely() ? 1.0 : 0.0;
  }
  values /= static_cast<double>(count);
  values.segment<3>(2) = (bounds / static_cast<double>(count)).cwiseSqrt().transpose();
  values.segment<3>(5) = squares.cwiseQuotient(bounds).cwiseSqrt().transpose();
  return values;
}

}  // namespace

Reproduction run_partial_sensing(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "partial-sensing";
  result.title = "M, D, K from fewer sensors than degrees of freedom";
  result.summary =
      "The frame with 8 degrees of freedom, 3300 samples, identified without any start value from "
      "some of its sensors or actuators. A run is at the optimum if its cost is within 2 % of that "
      "of a refinement started at the truth. Where all coordinates are sensed, the weak form is "
      "the start.";
  const std::vector<SensingCase> rows = sensing_cases(options.full);
  const std::size_t runs = options.full ? 10 : 3;
  std::vector<SensingRun> all(rows.size() * runs);
  parallel_for(
      all.size(), [&](std::size_t i) { all[i] = sensing_run(rows[i / runs], i); },
      options.parallel);
  Table table{.id = "sensing",
              .title = "automatic start and refinement",
              .header = {"case", "at the optimum", "accepted", "bound M", "bound D", "bound K",
                         "rms/bound M", "rms/bound D", "rms/bound K", "iterations", "candidates",
                         "falsely accepted"},
              .caption = fmt::format("{} runs in each row.", runs)};
  table.values.resize(static_cast<Eigen::Index>(rows.size()), 11);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = r * runs; i < (r + 1) * runs; ++i) {
      if (!all[i].finished) {
        result.status = Status::Stopped;
        result.message = "stopped on request; no claim is made";
        return result;
      }
    }
    const auto row = static_cast<Eigen::Index>(r);
    table.rows.push_back({rows[r].name});
    table.values.row(row) = row_values(all.data() + r * runs, runs);
    if (!rows[r].claimed) continue;
    result.claims.push_back(promised({.name = fmt::format("runs at the optimum, {}", rows[r].name),
                                      .measured = table.values(row, 0),
                                      .target = "== 1",
                                      .source = "own promise"}));
    // The bound is that of the linearised problem: where it is above 30 %, errors may exceed it.
    const bool tight = options.full && table.values.row(row).segment<3>(2).maxCoeff() < 0.3;
    result.claims.push_back(
        promised({.name = fmt::format("largest rms error over bound, {}", rows[r].name),
                  .measured = table.values.row(row).segment<3>(5).maxCoeff(),
                  .target = tight ? "<= 1.5" : "<= 2",
                  .source = "own promise: Cramer-Rao bound and the scatter of an rms"}));
  }
  result.claims.push_back(promised({.name = "share of runs accepted in a wrong optimum, all cases",
                                    .measured = table.values.col(10).mean(),
                                    .target = "<= 0.01",
                                    .source = "own promise"}));
  if (options.full) {
    const auto count = static_cast<double>(all.size());
    const double falsely = table.values.col(10).mean() * count;
    result.claims.push_back(promised({.name = "upper 95 % limit of that share",
                                      .measured = upper_limit(std::round(falsely), count),
                                      .target = "<= 0.01",
                                      .source = "own promise"}));
  }
  result.tables.push_back(table);
  return result;
}

}  // namespace alembert::reproductions::variational
