#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/estimate/observed_model.hpp"
#include "alembert/estimate/step.hpp"

/// Observers: a filter with gates, late readings, recovery and adaptation around any ObservedModel.
namespace alembert::estimate {

/// How a filter carries the estimate through the model.
enum class FilterRule {
  Ekf,
  IteratedEkf,   ///< 5 linearisations
  Simplex,       ///< spherical simplex sigma points
  Unscented,     ///< symmetric, κ = 1
  Cubature,      ///< symmetric, without a middle point
  GaussHermite,  ///< 3 points in each state, 3ⁿ in all; 6 states at most
};

/// The filter around the model: its rule, and whether it keeps factors of its covariances.
struct ObserverFilter {
  FilterRule rule = FilterRule::Ekf;
  bool square_root = false;

  constexpr ObserverFilter() = default;
  // A rule is a filter: options.filter = FilterRule::Cubature.
  constexpr ObserverFilter(FilterRule given, bool root = false)  // NOLINT: meant to convert
      : rule(given), square_root(root) {}
  constexpr bool operator==(const ObserverFilter&) const = default;
};

/// The square-root form of a rule.
[[nodiscard]] constexpr ObserverFilter square_root(FilterRule rule) { return {rule, true}; }

constexpr auto enum_names(ObserverFilter) {
  using Name = EnumName<ObserverFilter>;
  return std::to_array<Name>(
      {{FilterRule::Ekf, "ekf"},
       {FilterRule::IteratedEkf, "iterated-ekf"},
       {square_root(FilterRule::Ekf), "square-root-ekf"},
       {square_root(FilterRule::IteratedEkf), "iterated-square-root-ekf"},
       {FilterRule::Simplex, "simplex"},
       {square_root(FilterRule::Simplex), "square-root-simplex"},
       {FilterRule::Unscented, "unscented"},
       {square_root(FilterRule::Unscented), "square-root-unscented"},
       {FilterRule::Cubature, "cubature"},
       {square_root(FilterRule::Cubature), "square-root-cubature"},
       {FilterRule::GaussHermite, "gauss-hermite"},
       {square_root(FilterRule::GaussHermite), "square-root-gauss-hermite"}});
}

/// Noise levels that follow the data; see NoiseAdapter. Either the densities or the sensors: the
/// innovations do not tell them apart.
struct ObserverAdaptOptions {
  int window = 0;              ///< steps that are averaged, >= 2; 0: no adaptation
  bool process = true;         ///< one factor of the process noise, where the model has a scale
  bool outputs = false;        ///< the variance of every output sensor
  double process_range = 1e4;  ///< the factor stays in [1/range, range]
  double output_range = 10.0;  ///< standard deviations stay in [σ/range, range σ], σ the first
  double output_trust = 5.0;   ///< samples of the window that the first variance counts for
};

/// How an observer works, whatever it observes.
struct ObserverOptions {
  ObserverFilter filter = {};
  double central_weight = 1.0 / 3.0;  ///< of the simplex, in [0, 1)
  GateOptions gate = {};
  ObserverAdaptOptions adapt = {};
  SwitchOptions switching = {};  ///< for models with inputs
  /// Standard deviation of the time stamps in s. A reading of an instant that is τ off errs by y'
  /// τ, which all readings of a sample have in common: R + jitter² y' y'ᵀ in place of R.
  double jitter = 0.0;
  /// Steps that step_late() can reach, the last one and those that it makes included; 0: none.
  /// Memory, and the time of a step_late(), grow with it.
  int late_steps = 0;
};

/// What a step of an observer did.
struct [[nodiscard]] ObserverStep {
  Status status = Status::Success;  ///< of the prediction, else of the update
  UpdateReport update = {};
  bool random_walk = false;  ///< the switching model was in its random walk
  bool widened = false;      ///< the gate had kept out too much: the deviations were made larger
};

/// An observer of a model, sample by sample.
///
/// Steps allocate nothing, throw nothing and take bounded time, whatever the time between samples.
class Observer {
 public:
  using Kernel = BackwardKernel<double, Eigen::Dynamic>;

  /// @param mean, covariance of the state at the start.
  /// @throws InvalidInput for wrong sizes or options, or as the filters do.
  Observer(std::unique_ptr<ObservedModel> model, const Eigen::Ref<const Eigen::VectorXd>& mean,
           const Eigen::Ref<const Eigen::MatrixXd>& covariance,
           const ObserverOptions& options = {});
  ~Observer();
  Observer(Observer&&) noexcept;
  Observer& operator=(Observer&&) noexcept;

  /// Takes one reading of every sensor of the model, as it comes from the sensor; NaN where
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

  [[nodiscard]] const ObservedModel& model() const;
  [[nodiscard]] int states() const;
  [[nodiscard]] int coordinates() const;
  /// "angle(crank)", "angle(crank)'", ..., names of parameters, "bias(sensor)".
  [[nodiscard]] const std::vector<std::string>& state_names() const;
  [[nodiscard]] const Eigen::VectorXd& mean() const;
  [[nodiscard]] Eigen::MatrixXd covariance() const;
  /// Standard deviation of a state, √P_ii; allocates nothing.
  [[nodiscard]] double deviation(int state) const noexcept;
  /// Sensors that correct the estimate, in the order of the outputs.
  [[nodiscard]] const std::vector<int>& outputs() const;
  /// Coordinates where the model could not follow the last time that it could not; NaN: none.
  [[nodiscard]] const Eigen::VectorXd& unreached() const;
  /// The innovation of the last update; its rows count outputs().
  [[nodiscard]] const Innovation<double, Eigen::Dynamic>& innovation() const;
  /// The adapted factor of the process noise, 1 at first, and R, whose rows count outputs().
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
struct [[nodiscard]] ObserverEstimate : Outcome {
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
  double process_scale = 1.0;        ///< of the process noise, at the end; 1 without adaptation
  Eigen::VectorXd output_deviation;  ///< standard deviations of `outputs`, at the end
};

/// What observe_record() keeps beside the estimates.
struct RecordOptions {
  bool smooth = false;             ///< estimate from the whole record too
  bool keep_covariances = false;   ///< of every sample
  const StopFlag* stop = nullptr;  ///< then the status is Stopped, and what was done is of no use
};

/// Runs an observer over a record.
/// @param time of the samples in s, rising; the observer stands at the first.
/// @param readings samples x sensors, NaN: missing.
/// @throws InvalidInput for wrong sizes, or a time that is not finite or does not rise.
[[nodiscard]] ObserverEstimate observe_record(Observer& observer,
                                              const Eigen::Ref<const Eigen::VectorXd>& time,
                                              const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                              const RecordOptions& options = {});

}  // namespace alembert::estimate
