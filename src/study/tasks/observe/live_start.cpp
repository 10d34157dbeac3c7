#include "study/tasks/observe/live_start.hpp"

#include <algorithm>
#include <cmath>

#include "core/mapped.hpp"
#include "study/tasks/observe/merge_readings.hpp"
#include "study/tasks/observe/start_from_readings.hpp"
#include "study/tasks/observe/take_start.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

// Velocities from fewer are so uncertain that linearised filters may be led astray.
constexpr int kEnoughReadings = 64;
// Slow sensors are not waited for longer.
constexpr std::size_t kMostRowsToWait = 1000;
// Of a stream whose coordinates are not read for long only the last rows are kept.
constexpr std::size_t kMostRowsKept = 100000;

std::vector<SensorSeries> series_of(const std::vector<LiveRow>& rows,
                                    const std::vector<double>& delays) {
  const auto n = static_cast<Index>(rows.size());
  std::vector<SensorSeries> series;
  for (std::size_t s = 0; s < delays.size(); ++s) {
    SensorSeries one{Eigen::VectorXd(n), Eigen::VectorXd(n)};
    for (Index k = 0; k < n; ++k) {
      const LiveRow& row = rows[static_cast<std::size_t>(k)];
      one.time(k) = row.time - delays[s];
      one.values(k) = row.readings[s];
    }
    series.push_back(std::move(one));
  }
  return series;
}

}  // namespace

LiveStart::LiveStart(const ObserveStudy& study)
    : delays_(mapped(study.columns, [](const SensorColumn& one) { return one.delay; })),
      needs_positions_(!study.given.coordinates),
      needs_velocities_(!study.given.velocities),
      counts_(study.columns.size(), 0) {
  const model::planar::MechanismDescription& description = study.mechanism->description();
  for (const model::planar::Coordinate& coordinate : description.coordinates) {
    read_by_.emplace_back();
    for (std::size_t s = 0; s < description.sensors.size(); ++s) {
      if (model::planar::reads_coordinate(description.sensors[s], coordinate)) {
        read_by_.back().push_back(s);
      }
    }
  }
}

void LiveStart::take(double time, const std::vector<double>& readings) {
  if (rows_.size() == kMostRowsKept) rows_.erase(rows_.begin(), rows_.begin() + kMostRowsKept / 2);
  rows_.push_back({time, readings});
  for (std::size_t s = 0; s < readings.size(); ++s) {
    if (!std::isnan(readings[s])) ++counts_[s];
  }
  if (possible()) ++rows_since_possible_;
}

// Coordinates that no sensor reads do not count where the study gives the start.
bool LiveStart::each_coordinate_has(int readings) const {
  return std::all_of(read_by_.begin(), read_by_.end(), [&](const std::vector<std::size_t>& by) {
    if (by.empty()) return !needs_positions_;
    return std::any_of(by.begin(), by.end(), [&](std::size_t s) { return counts_[s] >= readings; });
  });
}

bool LiveStart::possible() const {
  return !rows_.empty() && (!needs_positions_ || each_coordinate_has(1));
}

bool LiveStart::ready() const {
  if (!possible()) return false;
  return !needs_velocities_ || each_coordinate_has(kEnoughReadings) ||
         rows_since_possible_ >= kMostRowsToWait;
}

double LiveStart::begin(ObserveStudy& study) const {
  const MergedReadings merged = merge_readings(series_of(rows_, delays_));
  const RecordStart found =
      start_from_readings(*study.mechanism, merged.time.times(), merged.values);
  if (study.given.coordinates && found.first > 0) return merged.time.start();
  take_start(found, study);
  return merged.time[found.first];
}

}  // namespace alembert::study
