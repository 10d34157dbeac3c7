#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/tasks/monte_carlo/monte_carlo_run.hpp"

namespace alembert::study {
namespace {

constexpr double kNormal975 = 1.959963984540054;  // Φ⁻¹(0.975)
constexpr double kMissRate = 0.05;                // of honest 95 % intervals

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? kNaN : sum / static_cast<double>(values.size());
}

double rms_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return values.empty() ? kNaN : std::sqrt(sum / static_cast<double>(values.size()));
}

// How many independent trials would scatter between runs as these entries do.
double effective_trials(const std::vector<double>& shares, double coverage, double all) {
  const auto runs = static_cast<double>(shares.size());
  const double mean = mean_of(shares);
  double squares = 0.0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  const double spread = coverage * (1.0 - coverage);
  // With one run, or without any scatter, nothing can be said about it: the cautious end.
  if (runs < 2.0 || !(squares > 0.0) || !(spread > 0.0)) return runs;
  return std::clamp(spread * runs * (runs - 1.0) / squares, runs, all);
}

void add_coverage(const std::vector<const MonteCarloRun*>& runs, std::size_t quantity,
                  ErrorStatistics& statistics) {
  double counted = 0.0;
  double covered = 0.0;
  double squares = 0.0;
  std::vector<double> shares;
  for (const MonteCarloRun* run : runs) {
    const RunError& error = run->errors[quantity];
    if (!(error.counted > 0.0)) continue;
    counted += error.counted;
    covered += error.covered;
    squares += error.squares;
    shares.push_back(error.covered / error.counted);
  }
  statistics.ratio = statistics.coverage = kNaN;
  statistics.coverage_lower = statistics.coverage_upper = kNaN;
  statistics.coverage_chance = kNaN;
  if (shares.empty()) return;
  const double share = covered / counted;
  const double trials = effective_trials(shares, share, counted);
  const ShareInterval interval = wilson_interval(share * trials, trials);
  statistics.ratio = std::sqrt(squares / counted);
  statistics.coverage = share;
  statistics.coverage_lower = interval.lower;
  statistics.coverage_upper = interval.upper;
  statistics.coverage_chance =
      chance_of_misses(static_cast<std::size_t>(std::llround((1.0 - share) * trials)),
                       static_cast<std::size_t>(std::llround(trials)), kMissRate);
}

ErrorStatistics error_statistics(const std::vector<const MonteCarloRun*>& runs,
                                 std::size_t quantity) {
  std::vector<double> errors, reported;
  for (const MonteCarloRun* run : runs) {
    const RunError& error = run->errors[quantity];
    if (std::isfinite(error.error)) errors.push_back(error.error);
    if (std::isfinite(error.reported)) reported.push_back(error.reported);
  }
  ErrorStatistics statistics;
  statistics.median = sample_quantile(errors, 0.5);
  statistics.mean = mean_of(errors);
  statistics.rms = rms_of(errors);
  statistics.p5 = sample_quantile(errors, 0.05);
  statistics.p95 = sample_quantile(errors, 0.95);
  statistics.reported = rms_of(reported);
  add_coverage(runs, quantity, statistics);
  return statistics;
}

struct ModeColumn {
  double bias = 0.0, rms = 0.0, reported = 0.0, coverage = 0.0;
};

ModeColumn mode_column(const std::vector<const MonteCarloRun*>& runs, double truth,
                       Eigen::Index mode, Eigen::VectorXd MonteCarloRun::*values,
                       Eigen::VectorXd MonteCarloRun::*deviations) {
  std::vector<double> errors, reported, covered;
  for (const MonteCarloRun* run : runs) {
    if (mode >= (run->*values).size()) continue;
    errors.push_back((run->*values)(mode)-truth);
    const double deviation = (run->*deviations)(mode);
    if (!std::isfinite(deviation)) continue;
    reported.push_back(deviation);
    covered.push_back(std::abs(errors.back()) <= kNormal975 * deviation ? 1.0 : 0.0);
  }
  return {mean_of(errors), rms_of(errors), rms_of(reported), mean_of(covered)};
}

std::vector<ModeStatistics> mode_statistics(const model::SecondOrder& truth,
                                            const std::vector<const MonteCarloRun*>& runs) {
  const Eigen::Index n = truth.degrees_of_freedom();
  const Eigen::Index entries = 3 * n * (n + 1) / 2;
  std::vector<ModeStatistics> list;
  for (const identify::ModeVerdict& mode :
       identify::mode_verdicts(truth, Eigen::MatrixXd::Zero(entries, entries))) {
    const auto i = static_cast<Eigen::Index>(list.size());
    const ModeColumn f = mode_column(runs, mode.frequency_hz, i, &MonteCarloRun::frequency,
                                     &MonteCarloRun::frequency_deviation);
    const ModeColumn d = mode_column(runs, mode.damping, i, &MonteCarloRun::damping,
                                     &MonteCarloRun::damping_deviation);
    list.push_back({.frequency = mode.frequency_hz,
                    .damping = mode.damping,
                    .frequency_bias = f.bias,
                    .damping_bias = d.bias,
                    .frequency_rms = f.rms,
                    .damping_rms = d.rms,
                    .frequency_reported = f.reported,
                    .damping_reported = d.reported,
                    .frequency_coverage = f.coverage,
                    .damping_coverage = d.coverage});
  }
  return list;
}

void count_failure(const MonteCarloRun& run, std::vector<FailureCount>& failures) {
  for (FailureCount& failure : failures) {
    if (failure.status != run.status) continue;
    ++failure.count;
    return;
  }
  failures.push_back(
      {.status = run.status, .count = 1, .first_run = run.run, .message = run.message});
}

}  // namespace

std::string to_string(Compared quantity) {
  switch (quantity) {
    case Compared::Mass:
      return "mass";
    case Compared::Damping:
      return "damping";
    case Compared::Stiffness:
      return "stiffness";
    case Compared::Frequencies:
      return "frequencies";
    case Compared::DampingRatios:
      break;
  }
  return "damping_ratios";
}

ShareInterval wilson_interval(double successes, double trials) {
  if (!(trials > 0.0)) return {kNaN, kNaN, kNaN};
  const double p = successes / trials;
  const double z2 = kNormal975 * kNormal975;
  // (p + z²/2n ± z √(p (1 - p)/n + z²/4n²)) / (1 + z²/n)
  const double middle = (p + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
  const double half = kNormal975 *
                      std::sqrt(p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)) /
                      (1.0 + z2 / trials);
  // Rounding must not push an end past the share itself, at 0 and 1.
  return {p, std::min(p, middle - half), std::max(p, middle + half)};
}

double chance_of_misses(std::size_t misses, std::size_t trials, double rate) {
  if (misses == 0) return 1.0;
  const auto n = static_cast<double>(trials);
  double sum = 0.0;
  for (std::size_t i = misses; i <= trials; ++i) {
    const auto k = static_cast<double>(i);
    const double choices = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
    const double term = std::exp(choices + k * std::log(rate) + (n - k) * std::log1p(-rate));
    sum += term;
    // Beyond the mean the terms fall faster and faster.
    if (k > n * rate && term < 1e-17 * sum) break;
  }
  return std::min(1.0, sum);
}

double sample_quantile(std::vector<double> values, double p) {
  if (values.empty()) return kNaN;
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = at - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

PointStatistics point_statistics(const model::SecondOrder& truth,
                                 const std::vector<const MonteCarloRun*>& runs) {
  PointStatistics statistics;
  std::vector<const MonteCarloRun*> good;
  for (const MonteCarloRun* run : runs) {
    if (run->ok()) {
      good.push_back(run);
    } else {
      count_failure(*run, statistics.failures);
    }
  }
  statistics.runs = runs.size();
  statistics.converged = good.size();
  for (std::size_t q = 0; q < kComparedCount; ++q) statistics.errors[q] = error_statistics(good, q);
  statistics.modes = mode_statistics(truth, good);
  return statistics;
}

}  // namespace alembert::study
