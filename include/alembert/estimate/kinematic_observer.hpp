#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/estimate/kinematic_input_model.hpp"
#include "alembert/estimate/kinematic_model.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// Where the accelerometers (or gyroscopes) enter.
enum class ObserverForm {
  Output,  ///< all sensors are outputs of a white-noise motion
  Input,   ///< they drive the model, as published
};

/// The filter around the model.
enum class ObserverFilter {
  Ekf,
  IteratedEkf,  ///< 5 linearisations
  SquareRootEkf,
  Simplex,  ///< spherical simplex sigma points
  SquareRootSimplex,
  Unscented,
  Cubature,
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
  double sigma_parameter = 1e-3;
  double sigma_bias = 0.1;
  /// One for each parameter, or for each bias state, in place of the single number; empty: that.
  std::vector<double> sigma_parameters = {};
  std::vector<double> sigma_biases = {};
};

/// Variances added in a step of the input form, one for each block of its state.
struct InputFormNoise {
  std::vector<double> kinematic = {1e-12, 1e-6, 1e-1};
  std::vector<double> random_walk = {1e-12, 1e-4, 1.0};  ///< while the switch is on
  /// Adds D Dᵀ to the kinematic part, D = KinematicInputModel::input_spread at the mean: what the
  /// noise of the input sensors does in this step, large where S is small.
  bool from_inputs = false;
};

struct KinematicObserverOptions {
  ObserverForm form = ObserverForm::Output;
  ObserverFilter filter = ObserverFilter::Ekf;
  ObserverStart start = {};
  OutputFormOptions output = {};
  OutputFormNoise output_noise = {};
  InputFormOptions input = {};
  InputFormNoise input_noise = {};
  SwitchOptions switching = {};
  double central_weight = 1.0 / 3.0;  ///< of the simplex, in [0, 1)
  GateOptions gate = {};
};

/// What a step of an observer did.
struct [[nodiscard]] ObserverStep {
  Status status = Status::Success;  ///< of the prediction, else of the update
  UpdateReport update;
  bool random_walk = false;  ///< the switching model was in its random walk
};

/// An observer of the motion of a mechanism, sample by sample.
///
/// A step takes bounded time and, while the time between samples stays the same, allocates nothing.
class KinematicObserver {
 public:
  using Kernel = BackwardKernel<double, Eigen::Dynamic>;

  /// Assembles the mechanism at start.z.
  /// @throws InvalidInput if that fails (with its reason), for wrong sizes, or as the models and
  ///   filters do.
  KinematicObserver(std::shared_ptr<const model::planar::Mechanism> mechanism,
                    const KinematicObserverOptions& options);
  ~KinematicObserver();
  KinematicObserver(KinematicObserver&&) noexcept;
  KinematicObserver& operator=(KinematicObserver&&) noexcept;

  /// Takes one reading of every sensor of the mechanism, as it comes from the sensor; NaN where
  /// there is none. @param step time since the last sample in s; 0: no prediction. A step that is
  /// negative or not finite changes nothing and returns NotFinite.
  /// @throws InvalidInput for a wrong number of readings.
  ObserverStep step(double step, std::span<const double> readings);
  /// The same, and what smooth() needs of the prediction.
  ObserverStep step(double step, std::span<const double> readings, Kernel& kernel);

  [[nodiscard]] int states() const;
  [[nodiscard]] int coordinates() const;
  /// "angle(crank)", "angle(crank)'", ..., names of parameters, "bias(sensor)".
  [[nodiscard]] const std::vector<std::string>& state_names() const;
  [[nodiscard]] const Eigen::VectorXd& mean() const;
  [[nodiscard]] Eigen::MatrixXd covariance() const;
  /// Sensors of the mechanism that correct the estimate, in the order of the outputs.
  [[nodiscard]] const std::vector<int>& outputs() const;
  /// The innovation of the last update; its rows count outputs().
  [[nodiscard]] const Innovation<double, Eigen::Dynamic>& innovation() const;
  /// Estimates given all data, from the kernels of the steps 1..N; covariances in `spread`.
  [[nodiscard]] std::vector<Belief<double, Eigen::Dynamic>> smooth(
      std::span<const Kernel> kernels) const;

 private:
  struct Implementation;

  std::unique_ptr<Implementation> implementation_;
};

/// Estimates of a whole record.
struct [[nodiscard]] KinematicEstimate : Outcome {
  std::vector<std::string> names;  ///< of the columns
  Eigen::MatrixXd mean;            ///< samples x states
  Eigen::MatrixXd deviation;       ///< standard deviations
  Eigen::MatrixXd smoothed_mean;   ///< empty unless asked for
  Eigen::MatrixXd smoothed_deviation;
  std::vector<Eigen::MatrixXd> covariances;  ///< of every sample, empty unless asked for
  std::vector<int> outputs;                  ///< sensors behind the columns of the innovations
  Eigen::MatrixXd innovation;                ///< samples x outputs, NaN where none was read
  Eigen::MatrixXd innovation_deviation;      ///< its standard deviation
  Eigen::MatrixXd whitened;                  ///< L⁻¹ν in its order, NaN where it was not used
  Eigen::VectorXd nis;                       ///< NaN where nothing was used
  std::vector<int> used;                     ///< readings used in each sample
  std::vector<bool> random_walk;
  Eigen::Index rejected = 0;  ///< samples that the gate kept out
  Eigen::Index failed = 0;    ///< samples whose prediction or update failed
};

struct ObserveOptions {
  bool smooth = false;
  bool keep_covariances = false;
};

/// Runs an observer over a record.
/// @param time of the samples in s, rising. @param readings samples x sensors, NaN:
/// missing.
/// @throws InvalidInput for wrong sizes, a time that is not finite or does not rise, or as the
/// observer.
[[nodiscard]] KinematicEstimate observe_record(
    std::shared_ptr<const model::planar::Mechanism> mechanism,
    const Eigen::Ref<const Eigen::VectorXd>& time,
    const Eigen::Ref<const Eigen::MatrixXd>& readings, const KinematicObserverOptions& options,
    const ObserveOptions& observe = {});

}  // namespace alembert::estimate
