#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/identify/weak_form.hpp"
#include "alembert/model/modes.hpp"
#include "reproductions/variational/linear_methods.hpp"
#include "reproductions/variational/variational.hpp"

namespace alembert::reproductions::variational {

namespace {

// A random orthogonal matrix.
Eigen::MatrixXd rotation(Eigen::Index n, RandomStream& random) {
  Eigen::MatrixXd gaussian(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    gaussian.col(j) = random.normal_vector(n);
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(gaussian);
  const Eigen::MatrixXd Q = factor.householderQ();
  return Q.leftCols(factor.rank());
}

Eigen::VectorXd log_uniform(Eigen::Index n, double lower, double upper, RandomStream& random) {
  Eigen::VectorXd values(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    values[i] = std::exp(random.uniform(std::log(lower), std::log(upper)));
  }
  return values;
}

Eigen::MatrixXd symmetric_with(const Eigen::VectorXd& eigenvalues, RandomStream& random) {
  const Eigen::MatrixXd q = rotation(eigenvalues.size(), random);
  return q * eigenvalues.asDiagonal() * q.transpose();
}

// Natural frequencies within a decade and a half, damping ratios around 0.3 to 20 %, not
// proportional, coupled masses.
model::SecondOrder random_system(Eigen::Index n, RandomStream& random) {
  model::SecondOrder system;
  system.M = symmetric_with(log_uniform(n, 0.5, 5.0, random), random);
  system.K = symmetric_with(log_uniform(n, 30.0, 3e3, random), random);
  const double typical = std::exp(random.uniform(std::log(0.003), std::log(0.2)));
  const double omega = std::sqrt(system.K.trace() / system.M.trace());
  system.D = symmetric_with(log_uniform(n, 0.3, 3.0, random), random) * 2.0 * typical * omega *
             system.M.trace() / static_cast<double>(n);
  system.L = Eigen::MatrixXd::Identity(n, n);
  return system;
}

struct RandomSystem {
  bool finished = false;
  Eigen::Index n = 0;
  double snr_db = 0.0;
  double fastest_turn = 0.0;  ///< ω_max h
  double cycles = 0.0;        ///< periods of the slowest mode in the record
  bool converged = false;
  bool at_optimum = false;
  std::string status;
  std::string message;
  Eigen::Vector3d over_bound = Eigen::Vector3d::Zero();
  double bound = 0.0;  ///< largest relative bound of M, D, K
};

RandomSystem identify_random(std::uint64_t number) {
  RandomStream random(10001, number);
  RandomSystem result;
  result.n = 1 + static_cast<Eigen::Index>(random.below(12));
  LinearCase linear;
  linear.system = random_system(result.n, random);
  linear.outputs = all_displacements(linear.system);
  const std::vector<model::DampedMode> modes = model::damped_modes(linear.system);
  double slowest = std::numeric_limits<double>::infinity();
  double fastest = 0.0;
  for (const model::DampedMode& mode : modes) {
    slowest = std::min(slowest, std::abs(mode.pole));
    fastest = std::max(fastest, std::abs(mode.pole));
  }
  result.fastest_turn = std::exp(random.uniform(std::log(0.08), std::log(0.8)));
  linear.step = result.fastest_turn / fastest;
  linear.samples = 1500 + static_cast<Eigen::Index>(random.below(3000));
  linear.snr_db = result.snr_db = random.uniform(15.0, 45.0);
  result.cycles =
      static_cast<double>(linear.samples) * linear.step * slowest / (2.0 * std::numbers::pi);
  const SimulatedCase simulated = simulate_case(linear, random.child(1));
  const identify::LinearProblem problem = free_problem(linear);
  const identify::WeakFormEstimate weak = identify::weak_form(
      problem.unknowns, simulated.data, linear.system.L, model::Motion::Displacement);
  result.finished = true;
  if (!weak.matrices.M.allFinite() || weak.matrices.M.size() == 0) {
    result.status = std::string(to_string(weak.status));
    result.message = weak.message;
    return result;
  }
  const identify::RefineOptions options{.coloured = false};
  const identify::Refinement refinement =
      identify::refine(problem, simulated.data, identify::clipped(weak.matrices), options);
  const identify::Refinement best =
      identify::refine(problem, simulated.data, matrices_of(linear.system), options);
  result.status = std::string(to_string(refinement.status));
  result.message = refinement.message;
  result.converged = refinement.ok();
  result.at_optimum = noise_ratio(refinement.noise, simulated.noise) <=
                      1.02 * noise_ratio(best.noise, simulated.noise);
  const Eigen::Vector3d limit = bound(linear, simulated);
  result.bound = limit.maxCoeff();
  result.over_bound =
      identify::relative_differences(matrices_of(refinement.system), matrices_of(linear.system))
          .cwiseQuotient(limit);
  return result;
}

}  // namespace

Reproduction run_random_systems(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "random-systems";
  result.title = "Systems that nobody chose";
  result.summary =
      "Random stable systems with 1 to 12 degrees of freedom, coupled masses, damping of any shape "
      "from 0.3 to 20 %, random rates, record lengths and signal-to-noise ratios, identified by "
      "the "
      "weak form and exact refinement with all settings at their defaults.";
  const std::size_t count = options.full ? 400 : 25;
  std::vector<RandomSystem> all(count);
  parallel_for(
      count, [&](std::size_t i) { all[i] = identify_random(i); }, options.parallel);
  Table table{.id = "systems",
              .title = "each system",
              .header = {"system", "n", "SNR [dB]", "fastest mode times step", "slowest cycles",
                         "converged", "at the optimum", "error/bound M", "error/bound D",
                         "error/bound K", "largest bound"}};
  table.values.resize(static_cast<Eigen::Index>(count), 10);
  double converged = 0.0, optimum = 0.0, silent = 0.0;
  Eigen::Vector3d squares = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    const RandomSystem& one = all[i];
    if (!one.finished) {
      result.status = Status::Stopped;
      result.message = "stopped on request; no claim is made";
      return result;
    }
    table.rows.push_back({fmt::format("{} {}", i + 1, one.status)});
    table.values.row(static_cast<Eigen::Index>(i)) << static_cast<double>(one.n), one.snr_db,
        one.fastest_turn, one.cycles, one.converged ? 1.0 : 0.0, one.at_optimum ? 1.0 : 0.0,
        one.over_bound[0], one.over_bound[1], one.over_bound[2], one.bound;
    converged += one.converged ? 1.0 : 0.0;
    optimum += one.converged && one.at_optimum ? 1.0 : 0.0;
    silent +=
        (one.converged && !one.at_optimum) || (!one.converged && one.message.empty()) ? 1.0 : 0.0;
    if (one.converged && one.at_optimum) {
      squares += one.over_bound.cwiseAbs2();
    }
  }
  result.tables.push_back(table);
  const auto total = static_cast<double>(count);
  result.claims.push_back(promised({.name = "share of systems that converged",
                                    .measured = converged / total,
                                    .target = ">= 0.95",
                                    .source = "own promise"}));
  result.claims.push_back(promised({.name = "share of systems at the optimum",
                                    .measured = optimum / total,
                                    .target = ">= 0.95",
                                    .source = "own promise"}));
  result.claims.push_back(promised({.name = "systems that failed without saying so",
                                    .measured = silent,
                                    .target = "== 0",
                                    .source = "own promise"}));
  result.claims.push_back(
      promised({.name = "rms error over bound of those at the optimum, largest of M, D, K",
                .measured = (squares / optimum).cwiseSqrt().maxCoeff(),
                .target = "<= 1.2",
                .source = "own promise: Cramer-Rao bound and the scatter of an rms"}));
  return result;
}

}  // namespace alembert::reproductions::variational
