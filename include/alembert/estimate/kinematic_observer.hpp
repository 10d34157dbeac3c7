#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/estimate/kinematic_input_model.hpp"
#include "alembert/estimate/kinematic_model.hpp"
#include "alembert/estimate/motion_noise.hpp"
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
  IteratedSquareRootEkf,
  Simplex,  ///< spherical simplex sigma points
  SquareRootSimplex,
  Unscented,  ///< symmetric, κ = 1: weights that serve both forms
  SquareRootUnscented,
  Cubature,
  SquareRootCubature,
  GaussHermite,  ///< 3 points in each state, 3ⁿ in all; 6 states at most
  SquareRootGaussHermite,
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
  /// One for each parameter, or for each bias state, in place of the single number; empty: that.
  std::vector<double> sigma_parameters = {};
  std::vector<double> sigma_biases = {};
};

/// Variances added in a step of the input form, one for each block of its state.
struct InputFormNoise {
  std::vector<double> kinematic = {1e-12, 1e-6, 1e-1};
  std::vector<double> random_walk = {1e-12, 1e-4, 1.0};  ///< while the switch is on
  /// Adds D Dᵀ to the kinematic part, D = KinematicInputModel::input_spread at the mean: what the
  /// noise of a reading of the input sensors does in its steps, large where S is small.
  bool from_inputs = false;
};

/// Noise levels that follow the data; see NoiseAdapter. Either the densities or the sensors: the
/// innovations do not tell them apart.
struct ObserverAdaptOptions {
  int window = 0;              ///< steps that are averaged, >= 2; 0: no adaptation
  bool process = true;         ///< one factor of the densities of the motion; output form only
  bool outputs = false;        ///< the variance of every output sensor
  double process_range = 1e4;  ///< the factor stays in [1/range, range]
  double output_range = 10.0;  ///< standard deviations stay in [σ/range, range σ], σ the first
  double output_trust = 5.0;   ///< samples of the window that the first variance counts for
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
  ObserverAdaptOptions adapt = {};
  /// Steps that step_late() can reach, the last one and those that it makes included; 0: none.
  /// Memory, and the time of a
  /// step_late(), grow with it.
  int late_steps = 0;
};

/// What a step of an observer did.
struct [[nodiscard]] ObserverStep {
  Status status = Status::Success;  ///< of the prediction, else of the update
  UpdateReport update = {};
  bool random_walk = false;  ///< the switching model was in its random walk
  bool widened = false;      ///< the gate had kept out too much: the deviations were made larger
};

/// An observer of the motion of a mechanism, sample by sample.
///
/// Steps allocate nothing, throw nothing and take bounded time, whatever the time between samples.
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
  /// there is none. Sensors with clocks of their own come in steps of their own.
  /// @param step time since the last sample in s; 0: no prediction. A step that is negative or not
  /// finite changes nothing and returns NotFinite, a wrong number of readings Stopped.
  ObserverStep step(double step, std::span<const double> readings) noexcept;
  /// The same, and what smooth() needs of the prediction. @param kernel of states() states.
  ObserverStep step(double step, std::span<const double> readings, Kernel& kernel) noexcept;

  /// Adds readings of an earlier instant, NaN where there is none, and runs again from there: the
  /// estimate is that of the readings in their order. An instant between two steps becomes a step
  /// of its own. Kernels and adapted noise levels stay as they are; the steps that run again take
  /// the present levels.
  /// @param ago s from the instant to the last step, >= 0; a thousandth of a step counts as none.
  /// @return of these readings how many were used and rejected, with the NIS of all of their
  /// instant, and the first failure since; Stopped and no change if the instant is not within the
  /// last `late_steps` steps or the number of readings is wrong.
  ObserverStep step_late(double ago, std::span<const double> readings) noexcept;

  [[nodiscard]] int states() const;
  [[nodiscard]] int coordinates() const;
  /// "angle(crank)", "angle(crank)'", ..., names of parameters, "bias(sensor)".
  [[nodiscard]] const std::vector<std::string>& state_names() const;
  [[nodiscard]] const Eigen::VectorXd& mean() const;
  [[nodiscard]] Eigen::MatrixXd covariance() const;
  /// Sensors of the mechanism that correct the estimate, in the order of the outputs.
  [[nodiscard]] const std::vector<int>& outputs() const;
  /// Coordinates where the mechanism could not follow the last time that it could not; NaN: none.
  [[nodiscard]] const Eigen::VectorXd& unreached() const;
  /// The innovation of the last update; its rows count outputs().
  [[nodiscard]] const Innovation<double, Eigen::Dynamic>& innovation() const;
  /// The adapted factor of the densities, 1 at first, and R, whose rows count outputs().
  [[nodiscard]] double process_scale() const;
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& output_noise() const;
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
  std::vector<Eigen::Index> rejected_readings;  ///< that the gate kept out, for each of `outputs`
  Eigen::Index rejected = 0;                    ///< samples that the gate kept out whole
  Eigen::Index widened = 0;          ///< times that the deviations were made larger after that
  Eigen::Index failed = 0;           ///< samples whose prediction or update failed
  double process_scale = 1.0;        ///< of the densities, at the end; 1 without adaptation
  Eigen::VectorXd output_deviation;  ///< standard deviations of `outputs`, at the end
};

struct ObserveOptions {
  bool smooth = false;
  bool keep_covariances = false;
  const StopFlag* stop = nullptr;  ///< then the status is Stopped, and what was done is of no use
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
