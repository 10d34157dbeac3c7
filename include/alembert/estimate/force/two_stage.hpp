#pragma once

#include <Eigen/Core>
#include <memory>

#include "alembert/estimate/kinematic_observer.hpp"

/// The published observer of unknown forces in two stages.
namespace alembert::estimate {

/// Estimates of both stages. Of the second the states are the measured forces, then the unknown
/// ones, in the order of the description, then the rates of those that walk, if they have any.
struct [[nodiscard]] TwoStageEstimate : Outcome {
  KinematicEstimate motion;
  ObserverEstimate forces;
  ForceDirection direction = ForceDirection::Known;  ///< as taken
};

/// The options of the first stage alone: its form, without forces.
[[nodiscard]] KinematicObserverOptions first_stage(const model::planar::Mechanism& mechanism,
                                                   const KinematicObserverOptions& options);

/// What observe_two_stages() would refuse. @throws InvalidInput as it does.
void check_two_stages(const std::shared_ptr<const model::planar::Mechanism>& mechanism,
                      const KinematicObserverOptions& options);

/// Motion from kinematics alone, then forces from the balance of the masses along that motion:
///
///   f12:  F2⁺ walks,  F1⁺ = B1⁻¹(M z'' + bias − B2 F2⁺) + v      y = F1
///   f21:  F1⁺ walks,  F2⁺ = B2⁻¹(M z'' + bias − B1 F1⁺) + v      y = F1
///
/// with z, z', z'' of the first stage: [MultibodyThesis, eqs. (3.5), (3.8)]. Differs from it: the
/// motion and the forces of the same sample enter, not those of the one before, and (3.8) has f21,
/// by (3.6). How forces walk is options.output.force_model, with options.output_noise.force_density
/// for each force that walks, or for all.
///
/// What the forces tell of the motion is lost, which is why the joint form
/// (OutputFormOptions::forces) does better; what is wrong with the forces does not reach the
/// motion. Errors of the motion count as white noise in the second stage, which they are not.
/// @param options with form = ObserverForm::TwoStage; the gate and the filter are of both stages.
/// @throws InvalidInput as KinematicObserver and ForceBalance, if the first stage has no
///   accelerations, or for f21 with fewer unknown forces than coordinates.
TwoStageEstimate observe_two_stages(std::shared_ptr<const model::planar::Mechanism> mechanism,
                                    const Eigen::Ref<const Eigen::VectorXd>& time,
                                    const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                    const KinematicObserverOptions& options,
                                    const RecordOptions& keep = {});

/// Both stages as one estimate: the states of the motion, then the unknown forces. How errors of
/// motion and forces go together is not known: their covariances are zero.
[[nodiscard]] KinematicEstimate join_stages(const model::planar::Mechanism& mechanism,
                                            const TwoStageEstimate& stages);

}  // namespace alembert::estimate
