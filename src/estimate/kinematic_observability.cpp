#include "alembert/estimate/kinematic_observability.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/decompositions.hpp"
#include "estimate/kinematic_checks.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::MechanismState;
using model::planar::Sensor;
using model::planar::SensorKind;
using model::planar::StepStatus;

constexpr const char* kExamine = "examine_sensors";
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMostGridPlaces = 1e5;

// S of some sensors at a position, rows over their standard deviations.
MatrixXd weighted_rows(const Mechanism& mechanism, const MechanismState& state,
                       const std::vector<int>& sensors) {
  const Index n = mechanism.coordinates();
  MatrixXd S(static_cast<Index>(sensors.size()), n);
  VectorXd row(n);
  for (Index i = 0; i < S.rows(); ++i) {
    const int sensor = sensors[static_cast<std::size_t>(i)];
    mechanism.sensor_sensitivity(sensor, state, {row.data(), static_cast<std::size_t>(n)});
    const double variance = model::planar::sensor_variance(
        mechanism.description().sensors[static_cast<std::size_t>(sensor)]);
    const double weight = variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0;
    for (Index j = 0; j < n; ++j) S(i, j) = weight * row(j);
  }
  return S;
}

// Singular values of S at a place, and the motion it sees least.
struct Seen {
  VectorXd z;
  VectorXd values;  // n, falling; zero where there are fewer sensors
  VectorXd unseen;
};

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

// Rank and condition of every place against the largest singular value of all: what is small is
// small beside what the sensors see elsewhere, also for a single coordinate.
void judge(const std::vector<Seen>& places, double largest_condition, SensorSetReport& report) {
  double largest = 0.0;
  for (const Seen& place : places) largest = std::max(largest, place.values(0));
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Seen& place = places[k];
    const Index n = place.values.size();
    int rank = 0;
    while (rank < n && place.values(rank) > largest / largest_condition) ++rank;
    const double least = place.values(n - 1);
    const double condition = least > 0.0 ? largest / least : kInfinite;
    report.lowest_rank = k == 0 ? rank : std::min(report.lowest_rank, rank);
    if (rank < n) report.singular.push_back(place.z);
    if (k > 0 && !(condition > report.worst_condition)) continue;
    report.worst_condition = condition;
    report.worst_at = place.z;
    report.unseen = place.unseen;
  }
}

// The places of the grid that can be reached, neighbours one after the other.
class Grid {
 public:
  Grid(const Mechanism& mechanism, const MechanismState& start, const ObservabilityOptions& options)
      : mechanism_(mechanism), start_(start), state_(start), options_(options) {
    const Index n = mechanism.coordinates();
    check_assembled(kExamine, start);
    check::size(kExamine, "lower", options.lower.size(), n);
    check::size(kExamine, "upper", options.upper.size(), n);
    check::at_least(kExamine, "points", options.points, 2);
    check::positive(kExamine, "largest_condition", options.largest_condition);
    for (Index j = 0; j < n; ++j) {
      if (!(options.lower(j) < options.upper(j))) {
        throw InvalidInput(fmt::format(
            "{}: lower must be below upper, got {} and {} for '{}'", kExamine, options.lower(j),
            options.upper(j),
            to_string(mechanism.description().coordinates[static_cast<std::size_t>(j)])));
      }
    }
    if (std::pow(options.points, static_cast<double>(n)) > kMostGridPlaces) {
      throw InvalidInput(
          fmt::format("{}: points^n must be at most 1e5, got {}^{}", kExamine, options.points, n));
    }
  }

  // Calls visit(state) at every place that can be reached; counts the others.
  template <typename Visit>
  void walk(ObservabilityReport& report, const Visit& visit) {
    const Index n = mechanism_.coordinates();
    const auto total =
        static_cast<int>(std::lround(std::pow(options_.points, static_cast<double>(n))));
    VectorXd z(n);
    for (int place = 0; place < total; ++place) {
      // Back and forth along each coordinate, so that one place is next to the last.
      int rest = place;
      int block = total;
      bool backwards = false;
      for (Index j = 0; j < n; ++j) {
        block /= options_.points;
        const int index = rest / block;
        rest %= block;
        const int used = backwards ? options_.points - 1 - index : index;
        backwards = backwards != (index % 2 == 1);
        const double share = used / (options_.points - 1.0);
        z(j) = options_.lower(j) + share * (options_.upper(j) - options_.lower(j));
      }
      ++report.positions;
      if (reach(z)) {
        visit(state_);
      } else {
        ++report.unreachable;
      }
    }
  }

 private:
  bool reach(const VectorXd& z) {
    const std::span<const double> goal(z.data(), static_cast<std::size_t>(z.size()));
    if (mechanism_.solve_position(goal, state_) == StepStatus::Success) return true;
    state_ = start_;
    return mechanism_.solve_position(goal, state_) == StepStatus::Success;
  }

  const Mechanism& mechanism_;
  const MechanismState& start_;
  MechanismState state_;
  const ObservabilityOptions& options_;
};

// Sensors that one could mount: an encoder on every body and between jointed ones, a measured
// length on every cylinder.
std::vector<Sensor> candidates(const MechanismDescription& description) {
  std::vector<Sensor> sensors;
  const auto angle = [&](const std::string& of, const std::string& to) {
    sensors.push_back({.name = to == "ground" ? fmt::format("angle({})", of)
                                              : fmt::format("angle({}, {})", of, to),
                       .of = of,
                       .relative_to = to,
                       .sigma = 1e-3});
  };
  for (const model::planar::Body& body : description.bodies) {
    if (body.name != "ground") angle(body.name, "ground");
  }
  for (const model::planar::Joint& joint : description.joints) {
    const std::string a = joint.a.substr(0, joint.a.find('.'));
    const std::string b = joint.b.substr(0, joint.b.find('.'));
    if (joint.kind == model::planar::JointKind::Cylinder) {
      if (joint.name.empty()) continue;
      sensors.push_back({.name = fmt::format("length({})", joint.name),
                         .kind = SensorKind::Length,
                         .of = joint.name,
                         .sigma = 1e-4});
    } else if (a != "ground" && b != "ground") {
      angle(b, a);
    }
  }
  return sensors;
}

// Every candidate is added to the position sensors in turn.
void suggest(const Mechanism& mechanism, const MechanismState& start,
             const ObservabilityOptions& options, ObservabilityReport& report) {
  MechanismDescription extended = mechanism.description();
  const std::vector<Sensor> extra = candidates(extended);
  const int first = mechanism.sensors();
  extended.sensors.insert(extended.sensors.end(), extra.begin(), extra.end());
  const Mechanism tried(extended);
  std::vector<std::vector<Seen>> seen(extra.size());
  ObservabilityReport ignored;
  Grid(tried, start, options).walk(ignored, [&](const MechanismState& state) {
    for (std::size_t i = 0; i < extra.size(); ++i) {
      std::vector<int> sensors = report.position_sensors.sensors;
      sensors.push_back(first + static_cast<int>(i));
      seen[i].push_back(seen_by(weighted_rows(tried, state, sensors), state.z));
    }
  });
  for (std::size_t i = 0; i < extra.size(); ++i) {
    SensorSetReport with;
    judge(seen[i], options.largest_condition, with);
    if (with.lowest_rank > report.position_sensors.lowest_rank) {
      report.suggestions.push_back({extra[i], with.worst_condition});
    }
  }
  std::stable_sort(report.suggestions.begin(), report.suggestions.end(),
                   [](const SensorSuggestion& a, const SensorSuggestion& b) {
                     return a.worst_condition < b.worst_condition;
                   });
}

std::string advice(const Mechanism& mechanism, const ObservabilityReport& report) {
  const SensorSetReport& set = report.position_sensors;
  std::vector<std::string> moving;
  for (Index j = 0; j < set.unseen.size(); ++j) {
    if (std::abs(set.unseen(j)) < 0.1) continue;
    moving.push_back(to_string(mechanism.description().coordinates[static_cast<std::size_t>(j)]));
  }
  std::string text = fmt::format(
      "the position sensors see {} of {} coordinates in the worst place; '{}' can move unseen",
      set.lowest_rank, report.coordinates, join(moving, "', '"));
  if (report.suggestions.empty()) return text + "; more than one sensor is missing";
  return text + fmt::format("; add a sensor such as '{}'", report.suggestions.front().sensor.name);
}

}  // namespace

ObservabilityReport examine_sensors(const Mechanism& mechanism, const MechanismState& start,
                                    const ObservabilityOptions& options) {
  ObservabilityReport report;
  report.coordinates = mechanism.coordinates();
  SensorSetReport* const sets[] = {&report.position_sensors, &report.rate_sensors,
                                   &report.acceleration_sensors};
  for (int sensor = 0; sensor < mechanism.sensors(); ++sensor) {
    sets[mechanism.sensor_order(sensor)]->sensors.push_back(sensor);
  }
  std::vector<Seen> seen[3];
  Grid(mechanism, start, options).walk(report, [&](const MechanismState& state) {
    for (std::size_t i = 0; i < 3; ++i) {
      seen[i].push_back(seen_by(weighted_rows(mechanism, state, sets[i]->sensors), state.z));
    }
  });
  if (seen[0].empty()) {
    report.status = Status::NotConverged;
    report.message = "no position of the grid can be reached from the start";
    return report;
  }
  for (std::size_t i = 0; i < 3; ++i) judge(seen[i], options.largest_condition, *sets[i]);
  const auto places = static_cast<std::size_t>(report.positions - report.unreachable);
  const auto somewhere = [&](const SensorSetReport& set) { return set.singular.size() < places; };
  report.output_form = report.position_sensors.lowest_rank == report.coordinates;
  report.input_form_velocity = somewhere(report.rate_sensors) && report.output_form;
  report.input_form_acceleration = somewhere(report.acceleration_sensors) && report.output_form;
  if (!report.output_form) {
    suggest(mechanism, start, options, report);
    report.status = Status::NotIdentifiable;
    report.message = advice(mechanism, report);
  }
  return report;
}

}  // namespace alembert::estimate
