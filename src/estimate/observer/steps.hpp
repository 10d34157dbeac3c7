#pragma once

// The steps of a kinematic observer: prediction, switch, update, adaptation, late readings.

#include <memory>
#include <optional>
#include <vector>

#include "alembert/estimate/delayed.hpp"
#include "estimate/observer/kinematic_filter.hpp"

namespace alembert::estimate {

/// What the noise of the inputs adds to Q in a step of the input form.
class InputNoise {
 public:
  /// @param q of the steps without it.
  InputNoise(KinematicInputModel model, const DynamicNoise& q);

  void update(const KinematicInput& u, const Eigen::VectorXd& mean) noexcept;
  /// Q + D Dᵀ with D from input_spread() at the last update; Q alone where that is no covariance.
  [[nodiscard]] const DynamicNoise& noise() const noexcept { return usable_ ? sum_ : q_; }

 private:
  KinematicInputModel model_;
  Eigen::MatrixXd spread_, covariance_;
  DynamicNoise q_, sum_;
  bool usable_ = false;
};

/// The noises of an observer: R, and Q of its form.
struct ObserverNoise {
  DynamicNoise r;
  std::optional<MotionNoise> motion = {};      // output form
  std::vector<DynamicNoise> input_form = {};   // kinematic, random walk
  std::optional<InputNoise> from_inputs = {};  // in place of the first, if asked for
};

class ObserverSteps {
 public:
  using Kernel = KinematicObserver::Kernel;

  /// @param derivative_states positions, velocities, ...: the first states.
  /// @throws InvalidInput if an option is out of range.
  ObserverSteps(std::shared_ptr<const model::planar::Mechanism> mechanism,
                std::unique_ptr<KinematicFilter> filter, ObserverNoise noise,
                std::vector<int> inputs, std::vector<int> outputs, int derivative_states,
                const KinematicObserverOptions& options);

  ObserverStep step(double time, std::span<const double> readings, Kernel* kernel) noexcept;
  ObserverStep step_late(double ago, std::span<const double> readings) noexcept;

  [[nodiscard]] const KinematicFilter& filter() const noexcept { return *filter_; }
  [[nodiscard]] const std::vector<int>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const DynamicNoise& output_noise() const noexcept { return noise_.r; }
  [[nodiscard]] double process_scale() const noexcept;
  /// Where the mechanism could not follow last; NaN: it always could.
  [[nodiscard]] const Eigen::VectorXd& unreached() const noexcept { return unreached_; }

 private:
  /// What a step reads and where it starts: enough to run it again.
  struct Moment {
    double time = 0.0;  // s since the step before
    Eigen::VectorXd before, now, z;
    Belief<double, Eigen::Dynamic> belief;
    SwitchRule rule;
    int locked_out = 0;
    Eigen::VectorXd reached;
  };

  struct Adaptation {
    KinematicAdapter adapter;
    DynamicNoise q;  // of the last prediction
  };

  [[nodiscard]] bool readable(std::span<const double> readings) const noexcept;
  void read(const std::vector<int>& sensors, std::span<const double> readings,
            Eigen::VectorXd& values) const noexcept;
  [[nodiscard]] long step_ending(double ago) noexcept;
  [[nodiscard]] long split_step(long number, double time) noexcept;
  void merge(std::span<const double> readings, long number) noexcept;
  [[nodiscard]] UpdateReport late_report(UpdateReport report) const noexcept;
  [[nodiscard]] bool entered(const UpdateReport& report, int output) const noexcept;
  ObserverStep run(Moment& moment, Kernel* kernel, bool adapt) noexcept;
  Status predict(double time, KinematicInput& u, Kernel* kernel) noexcept;
  [[nodiscard]] const DynamicNoise& process_noise(bool random_walk) const noexcept;
  void start_adaptation(const ObserverAdaptOptions& options, const GateOptions& gate);
  void reject_overflow(UpdateReport& report) const noexcept;
  [[nodiscard]] bool may_have_left(long unreached, const UpdateReport& report) const noexcept;
  void keep_in_reach(long unreached, UpdateReport& report) noexcept;
  void shorten(const Eigen::VectorXd& reached, Eigen::VectorXd& goal) const noexcept;
  void move_mean(const Eigen::VectorXd& goal) noexcept;
  [[nodiscard]] bool note_reach(long unreached, ObserverStep& result) noexcept;
  void hold(double time, Kernel* kernel) noexcept;
  void bound_deviations(double time) noexcept;
  [[nodiscard]] double room(int state, double time) const noexcept;
  void cut(Kernel& kernel) const noexcept;
  void count_locked_out(const Moment& moment, const UpdateReport& report) noexcept;
  [[nodiscard]] bool widen_if_locked_out(double time) noexcept;

  std::shared_ptr<const model::planar::Mechanism> mechanism_;  // constant, shared with the models
  std::unique_ptr<KinematicFilter> filter_;
  ObserverNoise noise_;
  std::vector<int> inputs_, outputs_;
  SwitchRule rule_;
  std::optional<Adaptation> adaptation_;
  int late_steps_;
  StepRing<Moment> moments_;
  Belief<double, Eigen::Dynamic> before_, predicted_;  // of the step
  Belief<double, Eigen::Dynamic> moved_;               // workspace, as are goal_ and way_
  Eigen::VectorXd reached_;                            // a mean at which it could be assembled
  Eigen::VectorXd goal_, way_;
  Eigen::VectorXd spans_;            // of the coordinates: a turn, or its arc
  std::vector<double> wild_limits_;  // of the NIS, for 0, 1, ... outputs
  int derivative_states_;            // positions, velocities, accelerations ...
  int lowest_order_ = 2;             // of the outputs: 0 if there are positions
  int locked_out_ = 0;               // steps in a row
  Eigen::VectorXd unreached_;
  Eigen::VectorXd last_inputs_;                 // readings of the inputs in the last step
  Eigen::VectorXd late_inputs_, late_outputs_;  // workspace of step_late
};

}  // namespace alembert::estimate
