#include "estimate/observe/live_judge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "estimate/observe/observe_evidence.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

// The start comes from the first 64 readings, and is forgotten soon after.
constexpr long kRowsToSettle = 100;
constexpr long kFewestRowsToJudge = 60;
constexpr Index kMostPlaces = 50;

}  // namespace

LiveJudge::LiveJudge(const model::planar::Mechanism& mechanism, const Observer& observer)
    : monitors_(observer.outputs().size()),
      counts_(static_cast<std::size_t>(mechanism.sensors())),
      path_(Eigen::MatrixXd::Zero(kMostPlaces, mechanism.coordinates())) {
  for (const int sensor : observer.outputs()) {
    counts_[static_cast<std::size_t>(sensor)].role = SensorRole::Output;
  }
}

void LiveJudge::keep_place(const Observer& observer) {
  if (rows_ % place_stride_ != 0) return;
  if (places_ == kMostPlaces) {
    for (Index i = 1; i < kMostPlaces / 2; ++i) path_.row(i) = path_.row(2 * i);
    places_ = kMostPlaces / 2;
    place_stride_ *= 2;
    if (rows_ % place_stride_ != 0) return;
  }
  path_.row(places_++) = observer.mean().head(path_.cols()).transpose();
}

void LiveJudge::take(const Observer& observer, const ObserverStep& step,
                     std::span<const double> readings) {
  if (step.status != Status::Success) ++failed_;
  keep_place(observer);
  if (++rows_ <= kRowsToSettle) return;
  for (std::size_t s = 0; s < readings.size(); ++s) {
    if (!std::isnan(readings[s])) ++counts_[s].readings;
  }
  const Innovation<double, Eigen::Dynamic>& last = observer.innovation();
  const auto sensor_of = [&](int row) {
    return static_cast<std::size_t>(observer.outputs()[static_cast<std::size_t>(row)]);
  };
  for (int i = 0; i < last.gated; ++i) {
    ++counts_[sensor_of(last.gated_rows[static_cast<std::size_t>(i)])].rejected;
  }
  const bool used = step.update.used > 0 && step.update.accepted;
  for (int i = 0; i < last.count; ++i) {
    const int row = last.rows[static_cast<std::size_t>(i)];
    if (!used && step.update.rejected > 0) ++counts_[sensor_of(row)].rejected;
    // S = L Lᵀ
    double variance = 0.0;
    for (int j = 0; j <= i; ++j) variance += last.factor(i, j) * last.factor(i, j);
    const double normalised = last.values(i) / std::sqrt(variance);
    if (used && std::isfinite(normalised)) monitors_[static_cast<std::size_t>(row)].add(normalised);
  }
  if (!used || !std::isfinite(step.update.nis)) return;
  ++judged_;
  squares_ += step.update.nis;
  freedom_ += step.update.used;
}

void LiveJudge::judge(const model::planar::Mechanism& mechanism, const Observer& observer,
                      Evidence& evidence) const {
  if (judged_ < kFewestRowsToJudge) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} rows are too few to judge the innovations", rows_), "");
    return;
  }
  const std::vector<bool> highest = highest_sensors(mechanism, path_.topRows(places_));
  std::vector<SensorScore> scores = counts_;
  const double probability = limit_probability(monitors_.size());
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(observer.outputs()[i]);
    scores[sensor].highest = highest[sensor];
    scores[sensor].judged = monitors_[i].count() >= kFewestRowsToJudge;
    if (scores[sensor].judged) scores[sensor].normalised = monitors_[i].report(probability);
  }
  const auto rows = static_cast<double>(judged_);
  judge_nis(squares_ / rows, freedom_ / rows, evidence);
  for (const SensorFinding& one : find_faults(mechanism, scores)) {
    evidence.add(one.level, one.reason, one.advice);
  }
  if (failed_ > 0) {
    evidence.add(
        TrustLevel::Caution,
        fmt::format("{} rows could not be used: the mechanism cannot follow the estimate", failed_),
        "look at the start, the noise levels and the geometry");
  }
}

}  // namespace alembert::estimate
