#include <algorithm>
#include <limits>
#include <string>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "estimate/force/force_stage.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

constexpr Index kMostPlacesLooked = 500;

// The least over the largest singular value that a matrix has along a path.
struct Conditioning {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0.0;

  void look_at(const MatrixXd& B) {
    const Eigen::JacobiSVD<MatrixXd> svd(B);
    least = std::min(least, svd.singularValues().minCoeff());
    largest = std::max(largest, svd.singularValues().maxCoeff());
  }
  [[nodiscard]] double ratio() const { return largest > 0.0 ? least / largest : 0.0; }
};

bool unknown_divide_better(const Mechanism& mechanism, const VectorXd& start,
                           const MatrixXd& path) {
  model::planar::MechanismState state = mechanism.make_state();
  if (!mechanism.assemble(start, state).ok()) return false;
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const VectorXd rest = VectorXd::Zero(mechanism.coordinates());
  Conditioning known;
  Conditioning unknown;
  const Index stride = std::max<Index>(1, path.rows() / kMostPlacesLooked);
  for (Index k = 0; k < path.rows(); k += stride) {
    const VectorXd z = path.row(k).head(mechanism.coordinates());
    if (mechanism.solve_position({z.data(), n}, state) != model::planar::StepStatus::Success) {
      continue;
    }
    mechanism.solve_velocity({rest.data(), n}, state);
    mechanism.reduced_dynamics(state, dynamics);
    known.look_at(dynamics.B1);
    unknown.look_at(dynamics.B2);
  }
  return unknown.ratio() > known.ratio();
}

}  // namespace

ForceDirection force_direction(const Mechanism& mechanism, const MatrixXd& path,
                               const KinematicObserverOptions& options) {
  const auto& forces = mechanism.description().forces;
  const auto unknown =
      std::count_if(forces.begin(), forces.end(), [](const auto& one) { return !one.known; });
  const bool square = unknown == mechanism.coordinates();
  if (options.stages.direction == ForceDirection::Unknown && !square) {
    throw InvalidInput({.function = "observe_two_stages",
                        .argument = "direction",
                        .rule = "f21 needs as many unknown forces as coordinates",
                        .value = std::to_string(unknown)});
  }
  if (options.stages.direction != ForceDirection::Automatic) return options.stages.direction;
  return square && unknown_divide_better(mechanism, options.start.z, path) ? ForceDirection::Unknown
                                                                           : ForceDirection::Known;
}

}  // namespace alembert::estimate
