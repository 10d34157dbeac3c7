#include <cmath>

#include "alembert/estimate/consistency.hpp"
#include "reproductions/slider_crank/cases.hpp"

namespace alembert::reproductions {
namespace {

using Eigen::Index;

/// Sums of squared errors, in all and by zone.
struct CrankSums {
  CrankErrors all{0.0, 0.0};
  std::array<CrankErrors, kCrankZones> zones{{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
  std::array<double, kCrankZones> counts{};
  double count = 0.0, nis = 0.0, nees = 0.0;

  void add(std::size_t zone, const Eigen::Vector3d& error) {
    for (CrankErrors* sum : {&all, &zones[zone]}) {
      sum->velocity += error(1) * error(1);
      sum->acceleration += error(2) * error(2);
    }
    counts[zone] += 1.0;
    count += 1.0;
  }
};

// √(Σ e²/N)
CrankErrors root_mean(const CrankErrors& sum, double count) {
  return {std::sqrt(sum.velocity / count), std::sqrt(sum.acceleration / count)};
}

void keep_sums(const CrankSums& sums, bool consistency, CrankScore& score) {
  score.all = root_mean(sums.all, sums.count);
  for (std::size_t i = 0; i < kCrankZones; ++i) {
    score.zones[i] = root_mean(sums.zones[i], sums.counts[i]);
  }
  if (!consistency) return;
  score.nis = sums.nis / sums.count;
  score.nees = sums.nees / sums.count;
}

Eigen::Vector3d error_at(const CrankRecord& record, Index k, const Eigen::VectorXd& mean) {
  return mean.head(3) - record.truth.row(k).transpose();
}

// The filter, sample by sample; NIS and NEES only if asked for, as they take time.
CrankScore filtered_crank(const CrankCase& one, const CrankRecord& record, bool consistency) {
  estimate::KinematicObserver observer(published_crank(one.model), one.options);
  CrankScore score;
  score.ok = true;
  score.acceleration_error = Eigen::VectorXd::Zero(record.time.size());
  CrankSums sums;
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

CrankScore smoothed_crank(const CrankCase& one, const CrankRecord& record) {
  const estimate::KinematicEstimate estimate = estimate::observe_record(
      published_crank(one.model), record.time, record.readings, one.options, {.smooth = true});
  CrankScore score;
  score.ok = estimate.ok();
  score.acceleration_error = estimate.smoothed_mean.col(2) - record.truth.col(2);
  CrankSums sums;
  for (Index k = 0; k < record.time.size(); ++k) {
    if (record.time(k) < one.scored_from) continue;
    sums.add(record.zone[static_cast<std::size_t>(k)],
             error_at(record, k, estimate.smoothed_mean.row(k).transpose()));
  }
  keep_sums(sums, false, score);
  return score;
}

// sum += part/count
void add_share(const CrankNumbers& part, double count, CrankNumbers& sum) {
  const auto add = [count](const CrankErrors& from, CrankErrors& to) {
    to.velocity += from.velocity / count;
    to.acceleration += from.acceleration / count;
  };
  add(part.all, sum.all);
  for (std::size_t i = 0; i < kCrankZones; ++i) add(part.zones[i], sum.zones[i]);
  sum.nis += part.nis / count;
  sum.nees += part.nees / count;
}

}  // namespace

CrankScore score_crank(const CrankCase& one, const CrankRecord& record) {
  return one.smooth ? smoothed_crank(one, record) : filtered_crank(one, record, true);
}

CrankErrors crank_errors(const CrankCase& one, const CrankRecord& record) {
  const CrankScore score =
      one.smooth ? smoothed_crank(one, record) : filtered_crank(one, record, false);
  return score.ok ? score.all : CrankErrors{};
}

CrankScore mean_crank_score(const CrankCase& one, double seconds, int seeds) {
  CrankScore mean;
  mean.all = {0.0, 0.0};
  mean.zones.fill({0.0, 0.0});
  mean.nis = mean.nees = 0.0;
  mean.ok = true;
  for (int seed = 1; seed <= seeds; ++seed) {
    const CrankRecord record =
        published_crank_record(seconds, static_cast<std::uint64_t>(seed), one.bias);
    const CrankScore score = score_crank(one, record);
    add_share(score, seeds, mean);
    mean.ok = mean.ok && score.ok;
    if (seed == 1) mean.acceleration_error = score.acceleration_error;
  }
  return mean;
}

}  // namespace alembert::reproductions
