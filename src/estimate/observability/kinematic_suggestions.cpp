#include "estimate/observability/kinematic_suggestions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::MechanismState;
using model::planar::Sensor;
using model::planar::SensorKind;

// Pairs times places, and places, for which pairs are tried.
constexpr std::size_t kMostTrials = 20000;
constexpr std::size_t kPlacesForPairs = 60;

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

// Rows of the present sensors with those of candidates below, at some places.
class Trials {
 public:
  Trials(const Mechanism& mechanism, const MechanismState& start, std::size_t candidates,
         const ObservabilityOptions& options)
      : mechanism_(mechanism), walker_(mechanism, start), options_(options) {
    const int first = mechanism.sensors() - static_cast<int>(candidates);
    for (int sensor = 0; sensor < mechanism.sensors(); ++sensor) {
      if (mechanism.sensor_order(sensor) == 1) continue;
      if (mechanism.sensor_order(sensor) == model::planar::kForceOrder) continue;
      if (sensor < first) ++present_;
      set_.sensors.push_back(sensor);
      set_.at_rest = set_.at_rest || mechanism.sensor_order(sensor) == 2;
    }
  }

  void look_at(const Eigen::VectorXd& z) {
    if (!walker_.reach(z)) return;
    places_.push_back(z);
    rows_.push_back(weighted_rows(mechanism_, set_, walker_));
  }

  // Worst condition with two candidates (or one twice) at every stride-th place; infinite where the
  // rank is not full.
  [[nodiscard]] double worst_condition(std::size_t one, std::size_t other,
                                       std::size_t stride) const {
    std::vector<Seen> seen;
    for (std::size_t k = 0; k < places_.size(); k += stride) {
      MatrixXd S(present_ + (one == other ? 1 : 2), rows_[k].cols());
      S.topRows(present_) = rows_[k].topRows(present_);
      S.row(present_) = rows_[k].row(present_ + static_cast<Index>(one));
      S.row(S.rows() - 1) = rows_[k].row(present_ + static_cast<Index>(other));
      seen.push_back(seen_by(S, places_[k]));
    }
    SensorSetReport report;
    judge(seen, options_, report);
    const bool full = !seen.empty() && report.lowest_rank == mechanism_.coordinates();
    return full ? report.worst_condition : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] std::size_t places() const { return places_.size(); }

 private:
  const Mechanism& mechanism_;
  Walker walker_;
  const ObservabilityOptions& options_;
  SensorSet set_;
  Index present_ = 0;
  std::vector<Eigen::VectorXd> places_;
  std::vector<MatrixXd> rows_;
};

void add_pairs(const Trials& trials, const std::vector<Sensor>& extra,
               std::vector<SensorSuggestion>& suggestions) {
  const std::size_t stride = trials.places() / kPlacesForPairs + 1;
  if (extra.size() * extra.size() / 2 * (trials.places() / stride) > kMostTrials) return;
  for (std::size_t i = 0; i < extra.size(); ++i) {
    for (std::size_t j = i + 1; j < extra.size(); ++j) {
      const double condition = trials.worst_condition(i, j, stride);
      if (std::isfinite(condition)) suggestions.push_back({extra[i], condition, extra[j]});
    }
  }
}

}  // namespace

void judge(const std::vector<Seen>& places, const ObservabilityOptions& options,
           SensorSetReport& report) {
  double& largest = report.largest;
  for (const Seen& place : places) largest = std::max(largest, place.values(0));
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Seen& place = places[k];
    const Index n = place.values.size();
    int rank = 0;
    while (rank < n && place.values(rank) > largest / options.largest_condition) ++rank;
    const double least = place.values(n - 1);
    const double condition =
        least > 0.0 ? largest / least : std::numeric_limits<double>::infinity();
    report.lowest_rank = k == 0 ? rank : std::min(report.lowest_rank, rank);
    if (rank < n) report.singular.push_back(place.z);
    if (k > 0 && !(condition > report.worst_condition)) continue;
    report.worst_condition = condition;
    report.worst_at = place.z;
    report.unseen = place.unseen;
  }
}

std::vector<SensorSuggestion> suggested_sensors(const Mechanism& mechanism,
                                                const MechanismState& start,
                                                const ObservabilityOptions& options,
                                                const std::vector<Seen>& seen) {
  MechanismDescription extended = mechanism.description();
  const std::vector<Sensor> extra = candidates(extended);
  extended.sensors.insert(extended.sensors.end(), extra.begin(), extra.end());
  const Mechanism tried(extended);
  Trials trials(tried, start, extra.size(), options);
  for (const Seen& place : seen) trials.look_at(place.z);
  std::vector<SensorSuggestion> suggestions;
  for (std::size_t i = 0; i < extra.size(); ++i) {
    const double condition = trials.worst_condition(i, i, 1);
    if (std::isfinite(condition)) suggestions.push_back({extra[i], condition});
  }
  if (suggestions.empty()) add_pairs(trials, extra, suggestions);
  std::stable_sort(suggestions.begin(), suggestions.end(),
                   [](const SensorSuggestion& a, const SensorSuggestion& b) {
                     return a.worst_condition < b.worst_condition;
                   });
  return suggestions;
}

}  // namespace alembert::estimate
