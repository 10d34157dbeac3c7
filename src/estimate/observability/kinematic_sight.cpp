#include "estimate/observability/kinematic_sight.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::CoordinateKind;
using model::planar::Mechanism;

// Of an interval: 0.618^45 = 4e-10.
constexpr int kGoldenSteps = 45;
constexpr double kGolden = 0.6180339887498949;
// Places from which a minimum is sought, and lines from each, with few and with many coordinates.
constexpr int kFewCoordinates = 6;
constexpr std::size_t kMostDescents = 40;
constexpr std::size_t kDescents = 4;
constexpr int kLines = 3;
// Share of the box that is looked at along a line where places have no neighbours.
constexpr double kLoneReach = 0.25;
// Of an angle, or of a length in sizes of the mechanism.
constexpr double kSightRounding = 1e-13;
// Share of the box over which the least singular value is differenced.
constexpr double kDifference = 1e-5;

// The least singular value along the way; infinite where the mechanism cannot be.
class Descent {
 public:
  Descent(const Mechanism& mechanism, const SensorSet& set, const ObservabilityOptions& options,
          Walker& walker)
      : mechanism_(mechanism), set_(set), options_(options), walker_(walker) {
    const int points =
        options.places.rows() > 0 ? 0 : grid_points(options, mechanism.coordinates());
    reach_ = points > 0 ? 1.0 / (points - 1.0) : kLoneReach;
  }

  // Share of the box between neighbours.
  [[nodiscard]] double reach() const { return reach_; }

  Seen look(const VectorXd& z) {
    if (walker_.reach(z)) return seen_by(weighted_rows(mechanism_, set_, walker_), z);
    const Index n = z.size();
    return {z, VectorXd::Constant(n, std::numeric_limits<double>::infinity()), VectorXd::Zero(n)};
  }

  // Golden section between two shares of a direction, both kept inside the box.
  Seen along(const Seen& from, const VectorXd& direction, double lower, double upper) {
    const auto at = [&](double t) {
      const VectorXd z = from.z + t * direction;
      return look(z.cwiseMax(options_.lower).cwiseMin(options_.upper));
    };
    Seen left = at(upper - kGolden * (upper - lower));
    Seen right = at(lower + kGolden * (upper - lower));
    for (int k = 0; k < kGoldenSteps; ++k) {
      if (left.least() < right.least()) {
        upper = lower + kGolden * (upper - lower);
        right = std::move(left);
        left = at(upper - kGolden * (upper - lower));
      } else {
        lower = upper - kGolden * (upper - lower);
        left = std::move(right);
        right = at(lower + kGolden * (upper - lower));
      }
    }
    const Seen& best = left.least() < right.least() ? left : right;
    return best.least() < from.least() ? best : from;
  }

  // Direction of steepest descent in shares of the box; zero where there is none.
  VectorXd steepest(const Seen& from) {
    const VectorXd width = options_.upper - options_.lower;
    VectorXd slope = VectorXd::Zero(width.size());
    for (Index j = 0; j < width.size(); ++j) {
      VectorXd z = from.z;
      const double step =
          (z(j) + kDifference * width(j) > options_.upper(j) ? -1.0 : 1.0) * kDifference;
      z(j) += step * width(j);
      const double there = look(z).least();
      if (std::isfinite(there)) slope(j) = (there - from.least()) / step;
    }
    const double size = slope.norm();
    // Below this the differences are rounding.
    if (size * reach_ < 1e-9 * from.values(0)) return VectorXd::Zero(width.size());
    return -slope.cwiseProduct(width) / size;
  }

 private:
  const Mechanism& mechanism_;
  const SensorSet& set_;
  const ObservabilityOptions& options_;
  Walker& walker_;
  double reach_ = kLoneReach;
};

// The places whose least singular value is smallest, none within two neighbours of another.
std::vector<std::size_t> smallest(const std::vector<Seen>& seen,
                                  const ObservabilityOptions& options, double apart,
                                  std::size_t most) {
  std::vector<std::size_t> order(seen.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return seen[a].least() < seen[b].least(); });
  const VectorXd width = options.upper - options.lower;
  std::vector<std::size_t> chosen;
  for (const std::size_t k : order) {
    if (chosen.size() == most) break;
    const bool near = std::any_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
      return (seen[k].z - seen[other].z).cwiseQuotient(width).cwiseAbs().maxCoeff() < apart;
    });
    if (!near) chosen.push_back(k);
  }
  return chosen;
}

// Whether a place is none of those found before: two searches may end at the same place.
bool is_new(const VectorXd& z, const ObservabilityOptions& options,
            const std::vector<Seen>& known) {
  const VectorXd width = options.upper - options.lower;
  return std::none_of(known.begin(), known.end(), [&](const Seen& other) {
    return (z - other.z).cwiseQuotient(width).cwiseAbs().maxCoeff() < 1e-6;
  });
}

// Keeps what is lower than where it started.
void keep(Seen found, const Seen& from, const ObservabilityOptions& options,
          std::vector<Seen>& kept) {
  if (found.least() < from.least() && is_new(found.z, options, kept)) {
    kept.push_back(std::move(found));
  }
}

// With one coordinate: every place that is not above its neighbours, and the way to both.
std::vector<Seen> refined_on_a_line(const ObservabilityOptions& options,
                                    const std::vector<Seen>& seen, double zero, Descent& descent) {
  std::vector<Seen> found;
  const VectorXd width = options.upper - options.lower;
  for (std::size_t k = 0; k < seen.size() && found.size() < kMostDescents; ++k) {
    const double here = seen[k].least();
    const bool lowest = (k == 0 || here <= seen[k - 1].least()) &&
                        (k + 1 == seen.size() || here <= seen[k + 1].least());
    if (!lowest || here <= zero) continue;
    keep(descent.along(seen[k], width, -descent.reach(), 0.0), seen[k], options, found);
    keep(descent.along(seen[k], width, 0.0, descent.reach()), seen[k], options, found);
  }
  return found;
}

}  // namespace

MatrixXd weighted_rows(const Mechanism& mechanism, const SensorSet& set, Walker& walker) {
  const Index n = mechanism.coordinates();
  MatrixXd S(static_cast<Index>(set.sensors.size()), n);
  VectorXd row(n);
  model::planar::SensorReading reading = mechanism.make_reading();
  const model::planar::MechanismState& state = set.at_rest ? walker.at_rest() : walker.state();
  for (Index i = 0; i < S.rows(); ++i) {
    const int sensor = set.sensors[static_cast<std::size_t>(i)];
    if (set.at_rest) {
      mechanism.read_sensor(sensor, state, reading);
      row = reading.by_z;
    } else {
      mechanism.sensor_sensitivity(sensor, state, {row.data(), static_cast<std::size_t>(n)});
    }
    const double variance = model::planar::sensor_variance(
        mechanism.description().sensors[static_cast<std::size_t>(sensor)]);
    const double weight = variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0;
    // What is not seen at all must not count as seen by rounding.
    const double rounding = kSightRounding * std::min(1.0, mechanism.size());
    for (Index j = 0; j < n; ++j) {
      const CoordinateKind kind =
          mechanism.description().coordinates[static_cast<std::size_t>(j)].kind;
      const double unit = kind == CoordinateKind::Angle ? 1.0 : mechanism.size();
      const double value = unit * row(j);
      S(i, j) = std::abs(value) > rounding ? weight * value : 0.0;
    }
  }
  return S;
}

Seen seen_by(const MatrixXd& S, const VectorXd& z) {
  const Index n = S.cols();
  Seen seen{z, VectorXd::Zero(n), VectorXd::Unit(n, 0)};
  if (S.rows() == 0) return seen;
  Eigen::JacobiSVD<MatrixXd> svd;
  svd.compute(S, Eigen::ComputeFullV);
  const VectorXd& s = svd.singularValues();
  for (Index i = 0; i < s.size(); ++i) seen.values(i) = s(i);
  seen.unseen = svd.matrixV().col(n - 1);
  return seen;
}

std::vector<Seen> refined(const Mechanism& mechanism, const SensorSet& set,
                          const ObservabilityOptions& options, const std::vector<Seen>& seen,
                          Walker& walker) {
  const Index n = mechanism.coordinates();
  if (static_cast<Index>(set.sensors.size()) < n) return {};
  double largest = 0.0;
  for (const Seen& place : seen) largest = std::max(largest, place.values(0));
  const double zero = largest / options.largest_condition;
  Descent descent(mechanism, set, options, walker);
  const bool neighbours = options.places.rows() == 0;
  if (n == 1 && neighbours) return refined_on_a_line(options, seen, zero, descent);
  const bool few = n <= kFewCoordinates;
  std::vector<Seen> found;
  for (const std::size_t k : smallest(seen, options, 2.0 * descent.reach(), few ? kDescents : 1)) {
    Seen best = seen[k];
    for (int line = 0; line < (few ? kLines : 1) && best.least() > zero; ++line) {
      const VectorXd direction = descent.steepest(best);
      if (direction.isZero()) break;
      best = descent.along(best, direction, 0.0, 2.0 * descent.reach());
    }
    keep(std::move(best), seen[k], options, found);
  }
  return found;
}

}  // namespace alembert::estimate
