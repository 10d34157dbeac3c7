#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/estimate/force/dynamic_model.hpp"
#include "alembert/estimate/kinematic_input_model.hpp"
#include "alembert/estimate/kinematic_model.hpp"
#include "alembert/estimate/motion_noise.hpp"
#include "alembert/estimate/observer.hpp"

namespace alembert::estimate {

/// Where the accelerometers (or gyroscopes) enter.
enum class ObserverForm {
  Output,   ///< all sensors are outputs of a white-noise motion
  Input,    ///< they drive the model, as published
  Dynamic,  ///< measured forces drive the masses, all other sensors are outputs
  /// The motion in the output or input form without forces, then the forces along it: two filters,
  /// for records (observe_record(), observe_two_stages()).
  TwoStage,
};

constexpr auto enum_names(ObserverForm) {
  return std::to_array<EnumName<ObserverForm>>({{ObserverForm::Output, "output"},
                                                {ObserverForm::Input, "input"},
                                                {ObserverForm::Dynamic, "dynamic"},
                                                {ObserverForm::TwoStage, "two-stage"}});
}

/// Which forces the balance gives in the second stage of two; the others walk as the force model
/// says.
enum class ForceDirection {
  Automatic,  ///< the one whose matrix is better conditioned along the motion, f12 if both are
              ///< alike
  Known,      ///< f12: the measured forces F1 from the unknown ones F2
  Unknown,    ///< f21: the unknown forces F2 from the measured ones; singular at dead centres
};

constexpr auto enum_names(ForceDirection) {
  return std::to_array<EnumName<ForceDirection>>({{ForceDirection::Automatic, "automatic"},
                                                  {ForceDirection::Known, "f12"},
                                                  {ForceDirection::Unknown, "f21"}});
}

/// The stages of ObserverForm::TwoStage.
struct TwoStageOptions {
  ObserverForm motion = ObserverForm::Output;  ///< of the first stage: Output or Input
  ForceDirection direction = ForceDirection::Automatic;
  double relation_variance = 0.0;  ///< that a step adds to the forces of the balance, N² or N² m²
  /// Adds to that what the deviations of the first stage do to the balance, J P Jᵀ.
  bool from_motion = true;
};

/// What is known at the start. Means of geometry parameters and biases are zero.
struct ObserverStart {
  Eigen::VectorXd z = {};    ///< n
  Eigen::VectorXd zd = {};   ///< n; empty: zero
  Eigen::VectorXd zdd = {};  ///< n; empty: zero
  double sigma_z = 0.01;     ///< standard deviations
  double sigma_zd = 1.0;
  double sigma_zdd = 10.0;
  double sigma_zddd = 100.0;  ///< of the jerk, for white snap
  /// One for each coordinate in place of the single number; empty: that.
  std::vector<double> sigmas_z = {};
  std::vector<double> sigmas_zd = {};
  std::vector<double> sigmas_zdd = {};
  double sigma_parameter = 1e-3;
  double sigma_bias = 0.1;
  double sigma_force = 100.0;        ///< of unknown forces, which are zero at first, N or N m
  double sigma_force_rate = 1000.0;  ///< of their rates, where they are states
  /// One for each parameter, or for each bias state, in place of the single number; empty: that.
  std::vector<double> sigma_parameters = {};
  std::vector<double> sigma_biases = {};
};

/// Variances added in a step of the input form or of the dynamic form, one for each block of z, z'
/// and z''.
struct InputFormNoise {
  std::vector<double> kinematic = {1e-12, 1e-6, 1e-1};
  std::vector<double> random_walk = {1e-12, 1e-4, 1.0};  ///< while the switch is on
  /// Adds D Dᵀ to the kinematic part, D = KinematicInputModel::input_spread or
  /// DynamicModel::input_spread at the mean: what the noise of a reading of the input sensors does
  /// in its steps, large where S or M is small.
  bool from_inputs = false;
};

/// An observer of a mechanism: filter, gate, adaptation and switch as in ObserverOptions.
struct KinematicObserverOptions : ObserverOptions {
  ObserverForm form = ObserverForm::Output;
  ObserverStart start = {};
  OutputFormOptions output = {};
  OutputFormNoise output_noise = {};
  InputFormOptions input = {};
  InputFormNoise input_noise = {};
  bool heun = true;  ///< dynamic form: DynamicFormOptions::heun
  TwoStageOptions stages = {};
};

/// The form in which the motion is estimated: that of the first stage where there are two.
[[nodiscard]] ObserverForm motion_form(const KinematicObserverOptions& options);

/// Names of the states that observe_record() estimates with these options, which it checks.
/// @throws InvalidInput as KinematicObserver, or observe_two_stages().
[[nodiscard]] std::vector<std::string> estimated_states(
    const std::shared_ptr<const model::planar::Mechanism>& mechanism,
    const KinematicObserverOptions& options);

/// An observer of the motion of a mechanism, sample by sample.
class KinematicObserver : public Observer {
 public:
  /// Assembles the mechanism at start.z.
  /// @throws InvalidInput if that fails (with its reason), for wrong sizes, for two stages, which
  ///   are no one observer, or as the models and filters do.
  KinematicObserver(std::shared_ptr<const model::planar::Mechanism> mechanism,
                    const KinematicObserverOptions& options);
};

/// Estimates of the motion of a mechanism over a whole record.
using KinematicEstimate = ObserverEstimate;

/// Runs an observer of a mechanism over a record.
/// @param time of the samples in s, rising. @param readings samples x sensors, NaN:
/// missing.
/// @throws InvalidInput for wrong sizes, a time that is not finite or does not rise, or as the
/// observer.
[[nodiscard]] KinematicEstimate observe_record(
    std::shared_ptr<const model::planar::Mechanism> mechanism,
    const Eigen::Ref<const Eigen::VectorXd>& time,
    const Eigen::Ref<const Eigen::MatrixXd>& readings, const KinematicObserverOptions& options,
    const RecordOptions& keep = {});

}  // namespace alembert::estimate
