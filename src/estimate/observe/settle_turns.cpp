#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <span>

#include "alembert/estimate/start_from_readings.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::Mechanism;

// Turns that are tried each way, by the number of coordinates that may need them.
constexpr int kTurnsTried[] = {0, 12, 3, 1, 1, 1};
constexpr Index kSamplesLookedAt = 50;
// Standard deviations within which a sensor agrees; the start itself is a fit to noisy readings.
constexpr double kAgrees = 5.0;
// Where no turn agrees, the one that is so many times nearer than none is taken: a start that is
// biased, because the motion is no parabola, is so by the same amount for all turns.
constexpr double kFarNearer = 4.0;

/// A first reading of a sensor of positions, and how long after the start it is.
struct FirstReading {
  int sensor;
  double value;
  double after;  // s
};

std::vector<FirstReading> first_positions(const Mechanism& mechanism,
                                          const Eigen::Ref<const VectorXd>& time,
                                          const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                          Index first) {
  std::vector<FirstReading> found;
  const Index end = std::min(first + kSamplesLookedAt, readings.rows());
  for (int s = 0; s < mechanism.sensors(); ++s) {
    if (mechanism.sensor_order(s) != 0) continue;
    Index k = first;
    while (k < end && std::isnan(readings(k, s))) ++k;
    if (k == end) continue;
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
    found.push_back(
        {s, model::planar::physical_value(sensor, readings(k, s)), time(k) - time(first)});
  }
  return found;
}

// Coordinates whose start may be whole turns off.
std::vector<Index> wrapped_coordinates(const Mechanism& mechanism, const RecordStart& found) {
  std::vector<Index> wrapped;
  const auto& description = mechanism.description();
  for (std::size_t i = 0; i < found.coordinates.size(); ++i) {
    if (!found.coordinates[i].known) continue;
    const bool unwrapped =
        std::any_of(description.sensors.begin(), description.sensors.end(), [&](const auto& one) {
          return !one.wrap && model::planar::reads_coordinate(one, description.coordinates[i]);
        });
    const bool angle = description.coordinates[i].kind == model::planar::CoordinateKind::Angle;
    if (angle && !unwrapped) wrapped.push_back(static_cast<Index>(i));
  }
  return wrapped;
}

/// How well the sensors agree with a start that is some turns on.
class TurnTrial {
 public:
  TurnTrial(const Mechanism& mechanism, std::vector<FirstReading> readings,
            const RecordStart& found)
      : mechanism_(mechanism),
        readings_(std::move(readings)),
        found_(found),
        state_(mechanism.make_state()) {
    assembled_ = mechanism_.assemble(place(0.0), state_).ok();
  }

  // The sensor that agrees least, in standard deviations; infinite where the mechanism cannot be.
  double misfit(const std::vector<Index>& coordinates, const std::vector<int>& turns) {
    double worst = 0.0;
    for (const FirstReading& one : readings_) {
      VectorXd z = place(one.after);
      for (std::size_t i = 0; i < turns.size(); ++i) {
        z(coordinates[i]) += 2.0 * std::numbers::pi * turns[i];
      }
      if (!reach(z)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, misfit_of(one));
    }
    return worst;
  }

 private:
  [[nodiscard]] VectorXd place(double after) const {
    VectorXd z(static_cast<Index>(found_.coordinates.size()));
    for (Index i = 0; i < z.size(); ++i) {
      const CoordinateStart& one = found_.coordinates[static_cast<std::size_t>(i)];
      z(i) = one.value(0);
      if (std::isfinite(one.deviation(1))) z(i) += after * one.value(1);
    }
    return z;
  }
  bool reach(const VectorXd& z) {
    const std::span<const double> at(z.data(), static_cast<std::size_t>(z.size()));
    if (assembled_ && mechanism_.solve_position(at, state_) == model::planar::StepStatus::Success) {
      return true;
    }
    assembled_ = mechanism_.assemble(z, state_).ok();
    return assembled_;
  }
  // The start is as uncertain as its deviations say, seen through S.
  [[nodiscard]] double misfit_of(const FirstReading& one) const {
    const auto& sensor = mechanism_.description().sensors[static_cast<std::size_t>(one.sensor)];
    VectorXd S(mechanism_.coordinates());
    mechanism_.sensor_sensitivity(one.sensor, state_,
                                  {S.data(), static_cast<std::size_t>(S.size())});
    double variance = model::planar::sensor_variance(sensor);
    for (Index i = 0; i < S.size(); ++i) {
      const CoordinateStart& start = found_.coordinates[static_cast<std::size_t>(i)];
      const double rate = std::isfinite(start.deviation(1)) ? start.deviation(1) * one.after : 0.0;
      variance += S(i) * S(i) * (start.deviation(0) * start.deviation(0) + rate * rate);
    }
    const double apart = model::planar::sensor_difference(
        sensor, one.value, mechanism_.sensor_value(one.sensor, state_));
    return std::abs(apart) / std::sqrt(variance);
  }

  const Mechanism& mechanism_;
  std::vector<FirstReading> readings_;
  const RecordStart& found_;
  model::planar::MechanismState state_;
  bool assembled_ = false;
};

// All combinations of turns, those with the fewest first.
std::vector<std::vector<int>> turns_to_try(std::size_t coordinates) {
  const int most = kTurnsTried[coordinates];
  std::vector<std::vector<int>> all = {{}};
  for (std::size_t i = 0; i < coordinates; ++i) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& one : all) {
      for (int k = -most; k <= most; ++k) {
        longer.push_back(one);
        longer.back().push_back(k);
      }
    }
    all = std::move(longer);
  }
  const auto turns = [](const std::vector<int>& one) {
    int sum = 0;
    for (const int k : one) sum += std::abs(k);
    return sum;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return turns(a) < turns(b); });
  return all;
}

// The turns that agree, the fewest of them; else those that are far nearer than none; else none.
std::vector<int> best_turns(const std::vector<Index>& wrapped, TurnTrial& trial) {
  const std::vector<int> none(wrapped.size(), 0);
  std::vector<int> nearest = none;
  const double without = trial.misfit(wrapped, none);
  double least = without / kFarNearer;
  for (const std::vector<int>& one : turns_to_try(wrapped.size())) {
    const double misfit = trial.misfit(wrapped, one);
    if (misfit < kAgrees) return one;
    // Turns that put all sensors in the same place differ by rounding alone.
    if (!(misfit < 0.999 * least)) continue;
    least = misfit;
    nearest = one;
  }
  return nearest;
}

}  // namespace

std::vector<int> settle_turns(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& time,
                              const Eigen::Ref<const Eigen::MatrixXd>& readings,
                              RecordStart& found) {
  std::vector<int> turns(found.coordinates.size(), 0);
  const bool all_known = std::all_of(found.coordinates.begin(), found.coordinates.end(),
                                     [](const CoordinateStart& one) { return one.known; });
  const std::vector<Index> wrapped = wrapped_coordinates(mechanism, found);
  std::vector<FirstReading> positions = first_positions(mechanism, time, readings, found.first);
  // Nothing but the readings of the coordinates themselves tells nothing of turns.
  if (!all_known || wrapped.empty() || wrapped.size() >= std::size(kTurnsTried) ||
      positions.size() <= found.coordinates.size()) {
    return turns;
  }
  TurnTrial trial(mechanism, std::move(positions), found);
  const std::vector<int> best = best_turns(wrapped, trial);
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    turns[static_cast<std::size_t>(wrapped[i])] = best[i];
    found.coordinates[static_cast<std::size_t>(wrapped[i])].value(0) +=
        2.0 * std::numbers::pi * best[i];
  }
  return turns;
}

}  // namespace alembert::estimate
