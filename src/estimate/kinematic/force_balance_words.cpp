#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/estimate/force/force_balance.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

constexpr Index kMostPlaces = 500;
constexpr double kHardlySeen = 0.1;  // of the best place on the way
constexpr double kNotSeen = 1e-9;    // of a unit of force

// As many measured forces as coordinates show the unknown ones themselves, else accelerations do.
bool cells_show(const model::planar::ReducedDynamics& dynamics) {
  return dynamics.B1.rows() == dynamics.B1.cols();
}

// The least singular value of B1⁻¹ B2, or of M⁻¹ B2, at places of a path: what a unit of the worst
// mix of unknown forces does to the measured ones, or to the accelerations.
VectorXd least_effects(const Mechanism& mechanism, const VectorXd& start, const MatrixXd& path) {
  std::vector<double> found;
  model::planar::MechanismState state = mechanism.make_state();
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  if (!mechanism.assemble(start, state).ok()) return {};
  const VectorXd rest = VectorXd::Zero(mechanism.coordinates());
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const Index stride = std::max<Index>(1, path.rows() / kMostPlaces);
  for (Index k = 0; k < path.rows(); k += stride) {
    const VectorXd z = path.row(k).head(mechanism.coordinates());
    if (mechanism.solve_position({z.data(), n}, state) != model::planar::StepStatus::Success) {
      continue;
    }
    mechanism.solve_velocity({rest.data(), n}, state);
    mechanism.reduced_dynamics(state, dynamics);
    const Eigen::FullPivLU<MatrixXd> lu(cells_show(dynamics) ? dynamics.B1 : dynamics.M);
    if (!lu.isInvertible()) continue;
    const MatrixXd effect = lu.solve(dynamics.B2);
    // √ of the least eigenvalue of (B1⁻¹ B2)ᵀ (B1⁻¹ B2)
    const Eigen::SelfAdjointEigenSolver<MatrixXd> squares(effect.transpose() * effect);
    found.push_back(std::sqrt(std::max(0.0, squares.eigenvalues()(0))));
  }
  return Eigen::Map<const VectorXd>(found.data(), static_cast<Index>(found.size()));
}

std::vector<std::string> unknown_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const model::planar::Force& force : mechanism.description().forces) {
    if (!force.known) names.push_back(force.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> force_balance_words(const Mechanism& mechanism,
                                             const Eigen::Ref<const VectorXd>& start,
                                             const Eigen::Ref<const MatrixXd>& path) {
  const std::vector<std::string> names = unknown_names(mechanism);
  if (names.empty()) return {};
  const VectorXd effects = least_effects(mechanism, start, path);
  if (effects.size() == 0) return {};
  const std::string all = join(names, ", ");
  const double best = effects.maxCoeff();
  const bool cells = cells_show(mechanism.make_dynamics());
  if (!(best > kNotSeen)) {
    return {
        fmt::format("No {} changes with {}: nothing in the record tells {}. Measure another "
                    "force, or take it out of the unknown ones.",
                    cells ? "measured force or torque" : "acceleration", all,
                    names.size() == 1 ? "it" : "them apart")};
  }
  const auto hardly = static_cast<double>((effects.array() < kHardlySeen * best).count());
  const double share = 100.0 * hardly / static_cast<double>(effects.size());
  std::vector<std::string> words = {
      fmt::format("A unit of {} changes the {} by {:.3g} to {:.3g} along the motion.", all,
                  cells ? "measured forces" : "accelerations", effects.minCoeff(), best)};
  if (share >= 0.5) {
    words.push_back(fmt::format(
        "In {:.0f} % of the places it is less than a tenth of the most (near dead centres): there "
        "the estimate of {} rests on its model, and its standard deviation grows.",
        share, all));
  }
  return words;
}

}  // namespace alembert::estimate
