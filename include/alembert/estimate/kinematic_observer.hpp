#pragma once

#include <Eigen/Core>
#include <memory>
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
};

constexpr auto enum_names(ObserverForm) {
  return std::to_array<EnumName<ObserverForm>>({{ObserverForm::Output, "output"},
                                                {ObserverForm::Input, "input"},
                                                {ObserverForm::Dynamic, "dynamic"}});
}

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
};

/// An observer of the motion of a mechanism, sample by sample.
class KinematicObserver : public Observer {
 public:
  /// Assembles the mechanism at start.z.
  /// @throws InvalidInput if that fails (with its reason), for wrong sizes, or as the models and
  ///   filters do.
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
