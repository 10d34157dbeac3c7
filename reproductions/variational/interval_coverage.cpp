#include <fmt/format.h>

#include <array>
#include <cmath>

#include "alembert/identify/weak_form.hpp"
#include "reproductions/published_systems.hpp"
#include "reproductions/variational/linear_case.hpp"
#include "reproductions/variational/variational.hpp"

namespace alembert::reproductions::variational {

namespace {

constexpr double kNormal95 = 1.959963984540054;  // Φ⁻¹(0.975)
constexpr std::array<double, 3> kCoverageSnr{20.0, 10.0, 5.0};

LinearCase coverage_case(double snr_db) {
  return {.system = frame_8dof(),
          .outputs = all_displacements(frame_8dof()),
          .step = 5e-3,
          .samples = 3300,
          .spacing = 0.05,
          .snr_db = snr_db};
}

// Of one run: share of the entries of M, D, K whose 95 % interval holds the truth.
struct CoverageRun {
  bool finished = false;
  bool converged = false;
  bool positive = false;  ///< came out positive definite without being enforced
  Eigen::Vector3d covered = Eigen::Vector3d::Zero();
};

Eigen::Vector3d covered_shares(const identify::Refinement& refinement,
                               const model::SecondOrder& truth) {
  const Eigen::VectorXd error =
      identify::stacked(matrices_of(refinement.system)) - identify::stacked(matrices_of(truth));
  const Eigen::VectorXd limit =
      kNormal95 * refinement.matrix_covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Eigen::Index each = error.size() / 3;
  Eigen::Vector3d shares;
  for (Eigen::Index matrix = 0; matrix < 3; ++matrix) {
    const auto inside = (error.segment(matrix * each, each).array().abs() <=
                         limit.segment(matrix * each, each).array());
    shares[matrix] = static_cast<double>(inside.count()) / static_cast<double>(each);
  }
  return shares;
}

CoverageRun coverage_run(double snr_db, std::uint64_t stream) {
  const LinearCase linear = coverage_case(snr_db);
  const SimulatedCase simulated = simulate_case(linear, RandomStream(7001, stream));
  const identify::LinearProblem problem = free_problem(linear);
  const identify::WeakFormEstimate weak = identify::weak_form(
      problem.unknowns, simulated.data, linear.system.L, model::Motion::Displacement);
  const identify::Refinement refinement =
      identify::refine(problem, simulated.data, identify::clipped(weak.matrices));
  CoverageRun run;
  run.finished = true;
  run.converged = refinement.ok();
  run.positive = !refinement.positive_enforced;
  if (refinement.matrix_covariance.size() > 0) {
    run.covered = covered_shares(refinement, linear.system);
  }
  return run;
}

// What happens at the lowest signal-to-noise ratio that was run, in words.
std::string coverage_caption(const Table& table, std::size_t levels) {
  if (levels < kCoverageSnr.size()) {
    return "40 runs. The full version has 200, and adds 10 and 5 dB.";
  }
  const Eigen::RowVectorXd last = table.values.row(static_cast<Eigen::Index>(levels) - 1);
  return fmt::format(
      "At {:g} dB {:.1f} % of the runs converge and the intervals of all entries hold in {:.1f} % "
      "(M {:.1f} %, D {:.1f} %, K {:.1f} %); {:.1f} % of the runs give positive definite matrices "
      "without being made to. Runs that do not converge say so and count as they are.",
      kCoverageSnr[levels - 1], 100.0 * last[4], 100.0 * last[3], 100.0 * last[0], 100.0 * last[1],
      100.0 * last[2], 100.0 * last[5]);
}

}  // namespace

Reproduction run_interval_coverage(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "interval-coverage";
  result.title = "How often the 95 % intervals of M, D, K hold";
  result.summary =
      "Weak form and exact refinement of the frame with 8 degrees of freedom, 3300 samples at 200 "
      "Hz. Share of the 108 entries whose interval estimate +- 1.96 standard deviations contains "
      "the true value.";
  // An entry's coverage over R runs scatters by √(0.05·0.95/R), 0.015 for R = 200 and 0.034 for
  // R = 40; that of the mean over correlated entries by less. The band is 1.3 of it.
  const std::size_t runs = options.full ? 200 : 40;
  const char* band = options.full ? "0.93 .. 0.97" : "0.905 .. 0.995";
  const std::size_t levels = options.full ? kCoverageSnr.size() : 1;
  std::vector<CoverageRun> all(levels * runs);
  parallel_for(
      all.size(), [&](std::size_t i) { all[i] = coverage_run(kCoverageSnr[i / runs], i); },
      options.parallel);

  Table table{.id = "coverage",
              .title = "share of true values inside the 95 % intervals",
              .header = {"signal-to-noise ratio", "M", "D", "K", "all", "converged",
                         "positive definite by itself"}};
  table.values = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(levels), 6);
  for (std::size_t level = 0; level < levels; ++level) {
    table.rows.push_back({fmt::format("{:g} dB", kCoverageSnr[level])});
    const auto row = static_cast<Eigen::Index>(level);
    for (std::size_t i = level * runs; i < (level + 1) * runs; ++i) {
      if (!all[i].finished) {
        result.status = Status::Stopped;
        result.message = "stopped on request; no claim is made";
        return result;
      }
      table.values.row(row).head(3) += all[i].covered.transpose();
      table.values(row, 4) += all[i].converged ? 1.0 : 0.0;
      table.values(row, 5) += all[i].positive ? 1.0 : 0.0;
    }
    table.values.row(row) /= static_cast<double>(runs);
    table.values(row, 3) = table.values.row(row).head(3).mean();
  }
  table.caption = coverage_caption(table, levels);
  result.tables.push_back(table);
  constexpr const char* kNames[] = {"M", "D", "K"};
  for (Eigen::Index matrix = 0; matrix < 3; ++matrix) {
    result.claims.push_back(promised(
        {.name = fmt::format("coverage of the 95 % intervals of {} at 20 dB", kNames[matrix]),
         .measured = table.values(0, matrix),
         .target = band,
         .source = "own promise: nominal 95 %"}));
  }
  result.claims.push_back(promised({.name = "converged runs at 20 dB",
                                    .measured = table.values(0, 4),
                                    .target = "== 1",
                                    .source = "own promise"}));
  return result;
}

}  // namespace alembert::reproductions::variational
