#include "reproductions/slider_crank/score.hpp"

#include <cmath>

#include "alembert/estimate/consistency.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using Eigen::Index;

/// Sums of squared errors, in all and by zone.
struct Sums {
  Errors all{0.0, 0.0};
  std::array<Errors, kZones> zones{{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
  std::array<double, kZones> counts{};
  double count = 0.0, nis = 0.0, nees = 0.0;

  void add(std::size_t zone, const Eigen::Vector3d& error) {
    for (Errors* sum : {&all, &zones[zone]}) {
      sum->velocity += error(1) * error(1);
      sum->acceleration += error(2) * error(2);
    }
    counts[zone] += 1.0;
    count += 1.0;
  }
};

// √(Σ e²/N)
Errors root_mean(const Errors& sum, double count) {
  return {std::sqrt(sum.velocity / count), std::sqrt(sum.acceleration / count)};
}

void keep_sums(const Sums& sums, bool consistency, Score& score) {
  score.all = root_mean(sums.all, sums.count);
  for (std::size_t i = 0; i < kZones; ++i) {
    score.zones[i] = root_mean(sums.zones[i], sums.counts[i]);
  }
  if (!consistency) return;
  score.nis = sums.nis / sums.count;
  score.nees = sums.nees / sums.count;
}

Eigen::Vector3d error_at(const Record& record, Index k, const Eigen::VectorXd& mean) {
  return mean.head(3) - record.truth.row(k).transpose();
}

// The filter, sample by sample; NIS and NEES only if asked for, as they take time.
Score filtered(const Case& one, const Record& record, bool consistency) {
  estimate::KinematicObserver observer(crank_mechanism(one.model), one.options);
  Score score;
  score.ok = true;
  score.acceleration_error = Eigen::VectorXd::Zero(record.time.size());
  Sums sums;
  Eigen::Vector2d readings;
  for (Index k = 0; k < record.time.size(); ++k) {
    readings = record.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : record.time(k) - record.time(k - 1);
    const estimate::ObserverStep done = observer.step(step, {readings.data(), 2});
    score.ok = score.ok && done.status == Status::Success;
    const Eigen::Vector3d error = error_at(record, k, observer.mean());
    score.acceleration_error(k) = error(2);
    if (record.time(k) < one.scored_from) continue;
    sums.add(record.zone[static_cast<std::size_t>(k)], error);
    if (!consistency) continue;
    sums.nis += done.update.nis;
    sums.nees += estimate::nees(error, observer.covariance().topLeftCorner(3, 3));
  }
  keep_sums(sums, consistency, score);
  return score;
}

Score smoothed(const Case& one, const Record& record) {
  const estimate::KinematicEstimate estimate = estimate::observe_record(
      crank_mechanism(one.model), record.time, record.readings, one.options, {.smooth = true});
  Score score;
  score.ok = estimate.ok();
  score.acceleration_error = estimate.smoothed_mean.col(2) - record.truth.col(2);
  Sums sums;
  for (Index k = 0; k < record.time.size(); ++k) {
    if (record.time(k) < one.scored_from) continue;
    sums.add(record.zone[static_cast<std::size_t>(k)],
             error_at(record, k, estimate.smoothed_mean.row(k).transpose()));
  }
  keep_sums(sums, false, score);
  return score;
}

// sum += part/count
void add_share(const Numbers& part, double count, Numbers& sum) {
  const auto add = [count](const Errors& from, Errors& to) {
    to.velocity += from.velocity / count;
    to.acceleration += from.acceleration / count;
  };
  add(part.all, sum.all);
  for (std::size_t i = 0; i < kZones; ++i) add(part.zones[i], sum.zones[i]);
  sum.nis += part.nis / count;
  sum.nees += part.nees / count;
}

}  // namespace

Score score_case(const Case& one, const Record& record) {
  return one.smooth ? smoothed(one, record) : filtered(one, record, true);
}

Errors errors_of(const Case& one, const Record& record) {
  const Score score = one.smooth ? smoothed(one, record) : filtered(one, record, false);
  return score.ok ? score.all : Errors{};
}

Score mean_score(const Case& one, double seconds, int seeds) {
  Score mean;
  mean.all = {0.0, 0.0};
  mean.zones.fill({0.0, 0.0});
  mean.nis = mean.nees = 0.0;
  mean.ok = true;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Record record = crank_record(seconds, static_cast<std::uint64_t>(seed), one.bias);
    const Score score = score_case(one, record);
    add_share(score, seeds, mean);
    mean.ok = mean.ok && score.ok;
    if (seed == 1) mean.acceleration_error = score.acceleration_error;
  }
  return mean;
}

}  // namespace alembert::reproductions::slider_crank
