#include "alembert/estimate/start_from_readings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "alembert/core/chi_square.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostReadings = 64;
constexpr int kFewestReadings = 8;
constexpr int kForAParabola = 4;
constexpr int kRounds = 10;          // of weighting
constexpr double kStillFits = 0.99;  // probability of a smaller misfit if the motion is a parabola
constexpr double kNothingKnown = std::numeric_limits<double>::infinity();

/// Some readings of one sensor, unwrapped.
struct FirstReadings {
  std::vector<double> time, value;
};

FirstReadings readings_from(const model::planar::Sensor& sensor,
                            const Eigen::Ref<const VectorXd>& time,
                            const Eigen::Ref<const VectorXd>& column, Index first) {
  FirstReadings found;
  for (Index k = first; k < column.size() && found.time.size() < kMostReadings; ++k) {
    if (std::isnan(column(k))) continue;
    double value = model::planar::physical_value(sensor, column(k));
    if (!found.value.empty()) {
      const double last = found.value.back();
      value = last + model::planar::sensor_difference(sensor, value, last);
    }
    found.time.push_back(time(k));
    found.value.push_back(value);
  }
  return found;
}

/// z + v t + a t²/2 through weighted readings.
struct Parabola {
  Eigen::Vector3d value;
  Eigen::Vector3d deviation;
  double misfit = 0.0;  ///< weighted mean square of the residuals over their variance
};

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Parabola fit_parabola(const FirstReadings& readings, int count, double at, double sigma) {
  const double span = readings.time[static_cast<std::size_t>(count) - 1] - readings.time[0];
  Eigen::MatrixXd columns(count, 3);
  VectorXd right(count);
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double t = (readings.time[i] - at) / span;
    columns.row(k) << 1.0, t, 0.5 * t * t;
    right(k) = readings.value[i];
  }
  VectorXd weights = VectorXd::Ones(count);
  Eigen::Vector3d solution;
  Eigen::Matrix3d inverse;
  VectorXd residuals;
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::Matrix3d normal = columns.transpose() * weights.asDiagonal() * columns;
    inverse = normal.inverse();
    solution = inverse * (columns.transpose() * (weights.asDiagonal() * right));
    residuals = right - columns * solution;
    std::vector<double> sizes(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) sizes[static_cast<std::size_t>(k)] = std::abs(residuals(k));
    const double scale = std::max(sigma, 1.4826 * middle_of(sizes));
    weights = (1.0 + (residuals.array() / (3.0 * scale)).square()).inverse();
  }
  Parabola fit;
  const double freedom = std::max(1.0, weights.sum() - 3.0);
  fit.misfit = residuals.cwiseAbs2().dot(weights) / (freedom * sigma * sigma);
  const double inflation = sigma * std::sqrt(std::max(1.0, fit.misfit));
  const Eigen::Vector3d scales(1.0, 1.0 / span, 1.0 / (span * span));
  fit.value = solution.cwiseProduct(scales);
  fit.deviation = inflation * inverse.diagonal().cwiseSqrt().cwiseProduct(scales);
  return fit;
}

// The mean square of n normalised residuals of three unknowns is χ²/(n - 3) with n - 3 degrees of
// freedom. A limit that did not know how few they are would end one search in ten with 8 readings,
// whose acceleration nobody can use.
bool still_fits(const Parabola& fit, int count) {
  const double freedom = static_cast<double>(count - 3);
  return fit.misfit <= chi_square_quantile(kStillFits, freedom) / freedom;
}

CoordinateStart start_of(const FirstReadings& readings, double at, double sigma) {
  CoordinateStart start{.known = true,
                        .value = {readings.value.front(), 0.0, 0.0},
                        .deviation = {sigma, kNothingKnown, kNothingKnown}};
  const int available = static_cast<int>(readings.value.size());
  if (available < kForAParabola) return start;
  std::optional<Parabola> chosen;
  for (int count = kFewestReadings;; count *= 2) {
    const int used = std::min(count, available);
    const Parabola fit = fit_parabola(readings, used, at, sigma);
    if (chosen && !still_fits(fit, used)) break;
    chosen = fit;
    if (count >= available) break;
  }
  start.value = chosen->value;
  start.deviation = chosen->deviation;
  return start;
}

// The sensor that reads a coordinate and has readings; -1: none.
int sensor_of(const model::planar::MechanismDescription& description,
              const model::planar::Coordinate& coordinate,
              const Eigen::Ref<const Eigen::MatrixXd>& readings) {
  for (std::size_t s = 0; s < description.sensors.size(); ++s) {
    if (!model::planar::reads_coordinate(description.sensors[s], coordinate)) continue;
    if (!readings.col(static_cast<Index>(s)).array().isNaN().all()) return static_cast<int>(s);
  }
  return -1;
}

}  // namespace

RecordStart start_from_readings(const model::planar::Mechanism& mechanism,
                                const Eigen::Ref<const VectorXd>& time,
                                const Eigen::Ref<const Eigen::MatrixXd>& readings) {
  const model::planar::MechanismDescription& description = mechanism.description();
  std::vector<int> sensors;
  RecordStart start;
  for (const model::planar::Coordinate& coordinate : description.coordinates) {
    sensors.push_back(sensor_of(description, coordinate, readings));
    if (sensors.back() < 0) continue;
    Index first = 0;
    while (std::isnan(readings(first, sensors.back()))) ++first;
    start.first = std::max(start.first, first);
  }
  for (const int s : sensors) {
    start.coordinates.emplace_back();
    if (s < 0) continue;
    Index last = start.first;  // its last reading until then
    while (std::isnan(readings(last, s))) --last;
    const model::planar::Sensor& sensor = description.sensors[static_cast<std::size_t>(s)];
    start.coordinates.back() =
        start_of(readings_from(sensor, time, readings.col(s), last), time(start.first),
                 std::sqrt(model::planar::sensor_variance(sensor)));
    start.coordinates.back().age = time(start.first) - time(last);
  }
  return start;
}

}  // namespace alembert::estimate
