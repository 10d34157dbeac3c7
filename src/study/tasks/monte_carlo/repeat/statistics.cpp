#include <algorithm>
#include <cmath>

#include "alembert/core/chi_square.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/study/repeat.hpp"

namespace alembert::study {
namespace {

constexpr double kHalfOf95 = 1.959963984540054;  // Φ⁻¹(0.975)
constexpr double kHonestMisses = 0.05;           // of honest 95 % intervals

using Runs = std::vector<const RepeatRun*>;

/// Sums of what is finite.
struct Sum {
  double count = 0.0, sum = 0.0, squares = 0.0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    count += 1.0;
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double mean() const { return count > 0.0 ? sum / count : kNaN; }
  [[nodiscard]] double rms() const { return count > 0.0 ? std::sqrt(squares / count) : kNaN; }
};

// Estimates of one name, one from each run that has it.
template <typename Item>
std::vector<const Item*> items_named(const std::string& name, const Runs& runs,
                                     std::vector<Item> RunFigures::*list) {
  std::vector<const Item*> found;
  for (const RepeatRun* run : runs) {
    for (const Item& item : run->*list) {
      if (item.name == name) found.push_back(&item);
    }
  }
  return found;
}

// Names in the order in which the runs bring them.
template <typename Item>
std::vector<std::string> names_in(const Runs& runs, std::vector<Item> RunFigures::*list) {
  std::vector<std::string> names;
  for (const RepeatRun* run : runs) {
    for (const Item& item : run->*list) {
      if (std::find(names.begin(), names.end(), item.name) == names.end()) {
        names.push_back(item.name);
      }
    }
  }
  return names;
}

double standard_deviation(const std::vector<const RunEstimate*>& estimates, double mean) {
  if (estimates.size() < 2) return kNaN;
  double squares = 0.0;
  for (const RunEstimate* one : estimates) squares += (one->value - mean) * (one->value - mean);
  return std::sqrt(squares / static_cast<double>(estimates.size() - 1));
}

// Half of the 95 % interval; NaN without a deviation.
double half_interval(const RunEstimate& one) {
  const double half = std::isfinite(one.margin) ? one.margin : kHalfOf95 * one.deviation;
  return half > 0.0 ? half : kNaN;
}

void add_share_inside(const std::vector<const RunEstimate*>& estimates,
                      EstimateStatistics& statistics) {
  std::size_t trials = 0;
  std::size_t misses = 0;
  for (const RunEstimate* one : estimates) {
    const double half = half_interval(*one);
    if (!std::isfinite(half) || !std::isfinite(one->truth)) continue;
    ++trials;
    if (std::abs(one->value - one->truth) > half) ++misses;
  }
  const ShareInterval share =
      wilson_interval(static_cast<double>(trials - misses), static_cast<double>(trials));
  statistics.coverage = share.share;
  statistics.coverage_lower = share.lower;
  statistics.coverage_upper = share.upper;
  statistics.coverage_chance = trials > 0 ? chance_of_misses(misses, trials, kHonestMisses) : kNaN;
}

EstimateStatistics estimate_statistics(const std::vector<const RunEstimate*>& estimates) {
  EstimateStatistics statistics;
  statistics.name = estimates.front()->name;
  statistics.unit = estimates.front()->unit;
  statistics.runs = estimates.size();
  Sum values;
  Sum errors;
  Sum reported;
  for (const RunEstimate* one : estimates) {
    values.add(one->value);
    errors.add(one->value - one->truth);
    reported.add(one->deviation);
  }
  statistics.truth = estimates.front()->truth;  // of the point, the same for all its runs
  statistics.mean = values.mean();
  statistics.bias = errors.mean();
  statistics.scatter = standard_deviation(estimates, values.mean());
  statistics.bias_deviation = statistics.scatter / std::sqrt(static_cast<double>(estimates.size()));
  statistics.reported = reported.rms();
  statistics.ratio = statistics.scatter / statistics.reported;
  add_share_inside(estimates, statistics);
  return statistics;
}

// χ² band of a mean over so many independent samples of `freedom` each.
void band(double freedom, double samples, double& lower, double& upper) {
  lower = upper = kNaN;
  if (!(samples > 0.0) || !(freedom > 0.0)) return;
  lower = chi_square_quantile(0.025, freedom * samples) / samples;
  upper = chi_square_quantile(0.975, freedom * samples) / samples;
}

StateStatistics state_statistics(const std::vector<const RunState*>& states) {
  StateStatistics statistics;
  statistics.name = states.front()->name;
  statistics.unit = states.front()->unit;
  statistics.runs = states.size();
  Sum bias;
  Sum rms;
  Sum reported;
  Sum covered;
  Sum nees;
  Sum samples;
  for (const RunState* one : states) {
    bias.add(one->bias);
    rms.add(one->rms);
    reported.add(one->reported);
    covered.add(one->covered);
    nees.add(one->nees);
    samples.add(one->effective);
  }
  statistics.bias = bias.mean();
  statistics.rms = rms.rms();
  statistics.reported = reported.rms();
  statistics.covered = covered.mean();
  statistics.nees = nees.mean();
  band(1.0, samples.sum, statistics.nees_lower, statistics.nees_upper);
  return statistics;
}

std::optional<NeesStatistics> nees_statistics(const Runs& runs) {
  NeesStatistics statistics;
  Sum means;
  Sum expected;
  Sum samples;
  Sum inside;
  for (const RepeatRun* run : runs) {
    if (!run->nees) continue;
    means.add(run->nees->mean);
    expected.add(run->nees->expected);
    samples.add(run->nees->effective);
    double lower = 0.0;
    double upper = 0.0;
    band(run->nees->expected, run->nees->effective, lower, upper);
    inside.add(lower <= run->nees->mean && run->nees->mean <= upper ? 1.0 : 0.0);
  }
  if (means.count == 0.0) return std::nullopt;
  statistics.mean = means.mean();
  statistics.expected = expected.mean();
  statistics.inside = inside.mean();
  band(statistics.expected, samples.sum, statistics.lower, statistics.upper);
  statistics.consistent =
      statistics.lower <= statistics.mean && statistics.mean <= statistics.upper;
  return statistics;
}

void count_ending(const RepeatRun& run, std::vector<FailureCount>& failures) {
  const auto same = std::find_if(failures.begin(), failures.end(),
                                 [&](const FailureCount& one) { return one.status == run.status; });
  if (same != failures.end()) {
    ++same->count;
    return;
  }
  failures.push_back(
      {.status = run.status, .count = 1, .first_run = run.run, .message = run.message});
}

}  // namespace

RepeatStatistics repeat_statistics(const std::vector<const RepeatRun*>& runs) {
  RepeatStatistics statistics;
  statistics.runs = runs.size();
  Runs good;
  for (const RepeatRun* run : runs) {
    if (run->ok()) {
      good.push_back(run);
    } else {
      count_ending(*run, statistics.failures);
    }
    ++(run->trust == TrustLevel::Good      ? statistics.good
       : run->trust == TrustLevel::Caution ? statistics.caution
                                           : statistics.bad);
  }
  statistics.converged = good.size();
  for (const std::string& name : names_in(good, &RunFigures::estimates)) {
    statistics.estimates.push_back(
        estimate_statistics(items_named(name, good, &RunFigures::estimates)));
  }
  for (const std::string& name : names_in(good, &RunFigures::states)) {
    statistics.states.push_back(state_statistics(items_named(name, good, &RunFigures::states)));
  }
  statistics.nees = nees_statistics(good);
  return statistics;
}

}  // namespace alembert::study
