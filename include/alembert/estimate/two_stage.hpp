#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

/// The published observer of unknown forces in two stages.
namespace alembert::estimate {

/// Which forces the balance gives in the second stage; the others walk at random.
enum class ForceDirection {
  Automatic,  ///< F2 from F1 where that is well conditioned along the whole motion, else F1 from F2
  Known,      ///< f12: the measured forces F1 from the unknown ones F2
  Unknown,    ///< f21: the unknown forces F2 from the measured ones; singular at dead centres
};

constexpr auto enum_names(ForceDirection) {
  return std::to_array<EnumName<ForceDirection>>({{ForceDirection::Automatic, "automatic"},
                                                  {ForceDirection::Known, "f12"},
                                                  {ForceDirection::Unknown, "f21"}});
}

/// The stages of the observer.
struct TwoStageOptions {
  KinematicObserverOptions kinematic = {};  ///< the first: output or input form, without forces
  ForceDirection direction = ForceDirection::Automatic;
  /// Random walk of the forces that the balance does not give, N²/s or N² m²/s; one for all or one
  /// for each.
  std::vector<double> force_density = {1.0};
  double relation_variance = 0.0;  ///< that a step adds to those that it gives, N² or N² m²
  /// Adds to that what the deviations of the first stage do to the balance, J P Jᵀ.
  bool from_motion = true;
  double sigma_force = 100.0;  ///< of all forces at the start, which are zero, N or N m
};

/// Estimates of both stages. Of the second the states are the measured forces, then the unknown
/// ones, in the order of the description.
struct [[nodiscard]] TwoStageEstimate : Outcome {
  KinematicEstimate motion;
  ObserverEstimate forces;
  ForceDirection direction = ForceDirection::Known;  ///< as taken
};

/// Motion from kinematics alone, then forces from the balance of the masses along that motion:
///
///   f12:  F2⁺ = F2 + w,  F1⁺ = B1⁻¹(M z'' + bias − B2 F2⁺) + v      y = F1
///   f21:  F1⁺ = F1 + w,  F2⁺ = B2⁻¹(M z'' + bias − B1 F1⁺) + v      y = F1
///
/// with z, z', z'' of the first stage: [MultibodyThesis, eqs. (3.5), (3.8)]. Differs from it: the
/// motion and the forces of the same sample enter, not those of the one before, and (3.8) has f21,
/// by (3.6). What the forces tell of the motion is lost, which is why the joint form
/// (OutputFormOptions::forces) does better; what is wrong with the forces does not reach the
/// motion.
/// @throws InvalidInput as KinematicObserver and ForceBalance, for a first stage with forces, or
/// for
///   f21 with fewer unknown forces than coordinates.
[[nodiscard]] TwoStageEstimate observe_two_stages(
    std::shared_ptr<const model::planar::Mechanism> mechanism,
    const Eigen::Ref<const Eigen::VectorXd>& time,
    const Eigen::Ref<const Eigen::MatrixXd>& readings, const TwoStageOptions& options,
    const RecordOptions& keep = {});

}  // namespace alembert::estimate
