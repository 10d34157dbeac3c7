#include "alembert/estimate/force/force_sight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

constexpr Index kMostPlacesTried = 500;
constexpr double kHardlySeen = 0.1;   // of the best place on the way
constexpr double kNotSeen = 1e-9;     // of a unit of force
constexpr double kSameEffect = 1e-6;  // least over largest effect: the same but for rounding
constexpr double kIllConditioned = 100.0;
constexpr double kInMix = 0.1;  // parts of a mix that count

std::vector<std::string> names_of_unknown(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const model::planar::Force& force : mechanism.description().forces) {
    if (!force.known) names.push_back(force.name);
  }
  return names;
}

// One place after the other.
class Looking {
 public:
  explicit Looking(ForceSight& sight) : sight_(sight) {
    sight_.alone = VectorXd::Zero(static_cast<Index>(sight.forces.size()));
  }

  void look(const model::planar::ReducedDynamics& dynamics) {
    const Eigen::FullPivLU<MatrixXd> lu(sight_.by_cells ? dynamics.B1 : dynamics.M);
    if (!lu.isInvertible()) {
      ++sight_.singular;
      return;
    }
    const MatrixXd effect = lu.solve(dynamics.B2);
    sight_.alone = sight_.alone.cwiseMax(effect.colwise().norm().transpose());
    const Eigen::JacobiSVD<MatrixXd> svd(effect, Eigen::ComputeThinV);
    const double largest = svd.singularValues()(0);
    const double smallest = svd.singularValues().minCoeff();
    if (least_.empty() || smallest > best_) {
      best_ = smallest;
      sight_.mix = svd.matrixV().rightCols(1);
    }
    least_.push_back(smallest);
    conditions_.push_back(smallest > 0.0 ? largest / smallest
                                         : std::numeric_limits<double>::infinity());
  }

  void finish() {
    const auto places = static_cast<Index>(least_.size());
    sight_.least = Eigen::Map<const VectorXd>(least_.data(), places);
    sight_.condition = Eigen::Map<const VectorXd>(conditions_.data(), places);
  }

 private:
  ForceSight& sight_;
  double best_ = 0.0;
  std::vector<double> least_, conditions_;
};

// The forces that a mix is made of.
std::vector<std::string> members(const ForceSight& sight) {
  std::vector<std::string> names;
  for (Index i = 0; i < sight.mix.size(); ++i) {
    if (std::abs(sight.mix(i)) > kInMix) names.push_back(sight.forces[static_cast<std::size_t>(i)]);
  }
  return names;
}

const char* what_they_change(const ForceSight& sight) {
  return sight.by_cells ? "measured force or torque" : "acceleration";
}

}  // namespace

bool ForceSight::possible() const { return why_not().empty(); }

std::string ForceSight::why_not() const {
  if (forces.empty()) return "";
  if (least.size() == 0) {
    if (singular == 0) return "";
    return by_cells ? "the measured forces cannot hold the mechanism at any place of the motion: "
                      "measure a force that moves every coordinate"
                    : "masses do not determine the motion at any place: give every body a mass and "
                      "an inertia";
  }
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (alone(static_cast<Index>(i)) > kNotSeen) continue;
    return fmt::format(
        "no {} changes with unknown force '{}', at any place of the motion: turn its axis, measure "
        "another force, or take it out",
        what_they_change(*this), forces[i]);
  }
  if (condition.minCoeff() < 1.0 / kSameEffect) return "";
  return fmt::format(
      "unknown forces {} do the same to every {}, at all places of the motion: no record tells "
      "them apart; keep one of them, or measure one",
      join(members(*this), ", "), what_they_change(*this));
}

std::vector<std::string> ForceSight::words() const {
  if (forces.empty() || least.size() == 0) return {};
  const std::string all = join(forces, ", ");
  const double best = least.maxCoeff();
  if (!possible()) {
    std::string reason = why_not();
    reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
    return {reason + "."};
  }
  const char* const changed = by_cells ? "measured forces" : "accelerations";
  std::vector<std::string> sentences = {
      fmt::format("A unit of {} changes the {} by {:.3g} to {:.3g} along the motion.", all, changed,
                  least.minCoeff(), best)};
  const auto hardly = static_cast<double>((least.array() < kHardlySeen * best).count());
  const double share = 100.0 * hardly / static_cast<double>(least.size());
  if (share >= 0.5) {
    sentences.push_back(fmt::format(
        "In {:.0f} % of the places it is less than a tenth of the most (near dead centres): there "
        "the estimate of {} rests on its model, and its standard deviation grows.",
        share, all));
  }
  if (forces.size() < 2) return sentences;
  const auto ill = static_cast<double>((condition.array() > kIllConditioned).count());
  sentences.push_back(fmt::format(
      "They are told apart with a condition of {:.3g} at best and {:.3g} at worst{}.",
      condition.minCoeff(), condition.maxCoeff(),
      ill > 0.0 ? fmt::format("; in {:.0f} % of the places it is above {:.0f}, and a mix of {} is "
                              "hardly seen there",
                              100.0 * ill / static_cast<double>(condition.size()), kIllConditioned,
                              join(members(*this), ", "))
                : ""));
  return sentences;
}

ForceSight examine_forces(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& start,
                          const Eigen::Ref<const MatrixXd>& path) {
  ForceSight sight{.forces = names_of_unknown(mechanism)};
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  sight.by_cells = dynamics.B1.rows() == dynamics.B1.cols();
  model::planar::MechanismState state = mechanism.make_state();
  if (sight.forces.empty() || !mechanism.assemble(start, state).ok()) return sight;
  Looking looking(sight);
  const VectorXd rest = VectorXd::Zero(mechanism.coordinates());
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const Index stride = std::max<Index>(1, path.rows() / kMostPlacesTried);
  for (Index k = 0; k < path.rows(); k += stride) {
    const VectorXd z = path.row(k).head(mechanism.coordinates());
    if (mechanism.solve_position({z.data(), n}, state) != model::planar::StepStatus::Success) {
      continue;
    }
    mechanism.solve_velocity({rest.data(), n}, state);
    mechanism.reduced_dynamics(state, dynamics);
    looking.look(dynamics);
  }
  looking.finish();
  return sight;
}

MatrixXd places_from_readings(const Mechanism& mechanism, const Eigen::Ref<const VectorXd>& start,
                              const Eigen::Ref<const MatrixXd>& readings) {
  const auto& description = mechanism.description();
  MatrixXd places = start.transpose().replicate(readings.rows(), 1);
  for (int s = 0; s < mechanism.sensors(); ++s) {
    const auto& sensor = description.sensors[static_cast<std::size_t>(s)];
    const int coordinate = model::planar::coordinate_read_by(description, sensor);
    if (coordinate < 0) continue;
    double last = start(coordinate);
    for (Index k = 0; k < readings.rows(); ++k) {
      const double value = model::planar::physical_value(sensor, readings(k, s));
      // An angle that was counted within a turn goes on from the one before.
      const double turn = 2.0 * std::numbers::pi;
      if (!std::isnan(value)) {
        last = sensor.wrap ? last + std::remainder(value - last, turn) : value;
      }
      places(k, coordinate) = last;
    }
  }
  return places;
}

void check_forces_seen(const char* function, const Mechanism& mechanism,
                       const Eigen::Ref<const VectorXd>& start,
                       const Eigen::Ref<const MatrixXd>& readings) {
  const ForceSight sight =
      examine_forces(mechanism, start, places_from_readings(mechanism, start, readings));
  const std::string reason = sight.why_not();
  if (!reason.empty()) throw InvalidInput({.function = std::string(function), .rule = reason});
}

}  // namespace alembert::estimate
