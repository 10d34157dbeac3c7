#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/start_from_readings.hpp"
#include "alembert/signal/record.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

constexpr double kSameReadingInstant = 1e-3;  // of the finest step

struct SingleReading {
  double time;
  Index sensor;
  double value;
};

double finest_step(const std::vector<SensorSeries>& series) {
  double finest = std::numeric_limits<double>::infinity();
  for (const SensorSeries& one : series) {
    if (one.time.size() > 1) {
      finest = std::min(finest, signal::TimeAxis::given(one.time).median_step());
    }
  }
  return finest;
}

std::vector<SingleReading> in_order(const std::vector<SensorSeries>& series) {
  std::vector<SingleReading> readings;
  for (std::size_t s = 0; s < series.size(); ++s) {
    for (Index k = 0; k < series[s].time.size(); ++k) {
      readings.push_back({series[s].time(k), static_cast<Index>(s), series[s].values(k)});
    }
  }
  std::stable_sort(readings.begin(), readings.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  return readings;
}

}  // namespace

MergedReadings merge_readings(const std::vector<SensorSeries>& series) {
  const double finest = finest_step(series);
  const double same = std::isfinite(finest) ? kSameReadingInstant * finest : 0.0;
  const std::vector<SingleReading> readings = in_order(series);
  std::vector<double> times;
  std::vector<Index> rows;  // of each reading
  for (const SingleReading& reading : readings) {
    if (times.empty() || reading.time - times.back() > same) times.push_back(reading.time);
    rows.push_back(static_cast<Index>(times.size()) - 1);
  }
  MergedReadings merged;
  merged.time = Eigen::Map<const Eigen::VectorXd>(times.data(), static_cast<Index>(times.size()));
  merged.values =
      Eigen::MatrixXd::Constant(static_cast<Index>(times.size()), static_cast<Index>(series.size()),
                                std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    merged.values(rows[i], readings[i].sensor) = readings[i].value;
  }
  return merged;
}

}  // namespace alembert::estimate
