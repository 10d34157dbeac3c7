#include "estimate/observe/live_start.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

// Velocities from fewer are so uncertain that linearised filters may be led astray.
constexpr int kEnoughReadings = 64;
// Slow sensors are not waited for longer.
constexpr std::size_t kMostRowsToWait = 1000;
// Of a stream whose coordinates are not read for long only the last rows are kept.
constexpr std::size_t kMostRowsKept = 100000;

std::vector<SensorSeries> series_of(const LiveRows& rows, const std::vector<double>& delays) {
  const auto n = static_cast<Index>(rows.size());
  std::vector<SensorSeries> series;
  for (std::size_t s = 0; s < delays.size(); ++s) {
    SensorSeries one{Eigen::VectorXd(n), Eigen::VectorXd(n)};
    for (Index k = 0; k < n; ++k) {
      const auto row = static_cast<std::size_t>(k);
      one.time(k) = rows.time(row) - delays[s];
      one.values(k) = rows.readings(row)[s];
    }
    series.push_back(std::move(one));
  }
  return series;
}

}  // namespace

void LiveRows::drop(std::size_t count) {
  times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(count));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count * sensors_));
}

LiveStart::LiveStart(const model::planar::Mechanism& mechanism, const GivenStart& given,
                     const std::vector<double>& delays)
    : delays_(delays),
      needs_positions_(!given.coordinates),
      needs_velocities_(!given.velocities),
      counts_(delays.size(), 0),
      rows_(delays.size()) {
  const model::planar::MechanismDescription& description = mechanism.description();
  for (const model::planar::Coordinate& coordinate : description.coordinates) {
    read_by_.emplace_back();
    for (std::size_t s = 0; s < description.sensors.size(); ++s) {
      if (model::planar::reads_coordinate(description.sensors[s], coordinate)) {
        read_by_.back().push_back(s);
      }
    }
  }
}

void LiveStart::take(double time, std::span<const double> readings) {
  if (rows_.size() == kMostRowsKept) rows_.drop(kMostRowsKept / 2);
  rows_.add(time, readings);
  for (std::size_t s = 0; s < readings.size(); ++s) {
    if (!std::isnan(readings[s])) ++counts_[s];
  }
  if (possible()) ++rows_since_possible_;
}

// Coordinates that no sensor reads do not count where the start is given.
bool LiveStart::each_coordinate_has(int readings) const {
  return std::all_of(read_by_.begin(), read_by_.end(), [&](const std::vector<std::size_t>& by) {
    if (by.empty()) return !needs_positions_;
    return std::any_of(by.begin(), by.end(), [&](std::size_t s) { return counts_[s] >= readings; });
  });
}

bool LiveStart::possible() const {
  return rows_.size() > 0 && (!needs_positions_ || each_coordinate_has(1));
}

bool LiveStart::ready() const {
  if (!possible()) return false;
  return !needs_velocities_ || each_coordinate_has(kEnoughReadings) ||
         rows_since_possible_ >= kMostRowsToWait;
}

double LiveStart::begin(const model::planar::Mechanism& mechanism, const GivenStart& given,
                        ObserverStart& start) const {
  const MergedReadings merged = merge_readings(series_of(rows_, delays_));
  RecordStart found = start_from_readings(mechanism, merged.time, merged.values);
  const DoubtfulSensor doubtful = doubtful_sensor(mechanism, merged.values);
  if (doubtful.sensor >= 0) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(doubtful.sensor)];
    throw InvalidInput({.function = "LiveObserver",
                        .argument = "readings of " + sensor.name,
                        .rule = doubtful.rule,
                        .value = doubtful.reading});
  }
  if (!given.coordinates) (void)settle_turns(mechanism, merged.time, merged.values, found);
  if (given.coordinates && found.first > 0) return merged.time(0);
  take_start(found, given, start);
  return merged.time(found.first);
}

}  // namespace alembert::estimate
