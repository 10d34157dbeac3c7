#pragma once

// The steps of an observer: prediction, switch, update, adaptation, late readings.

#include <memory>
#include <optional>
#include <vector>

#include "alembert/estimate/delayed.hpp"
#include "estimate/observer/any_filter.hpp"
#include "estimate/observer/stamp_noise.hpp"

namespace alembert::estimate {

class ObserverSteps {
 public:
  using Kernel = Observer::Kernel;

  /// @param model outlives the steps. @throws InvalidInput if an option is out of range.
  ObserverSteps(ObservedModel& model, std::unique_ptr<AnyFilter> filter,
                const ObserverOptions& options);

  ObserverStep step(double time, std::span<const double> readings, Kernel* kernel) noexcept;
  ObserverStep step_late(double ago, std::span<const double> readings) noexcept;

  [[nodiscard]] const AnyFilter& filter() const noexcept { return *filter_; }
  [[nodiscard]] const DynamicNoise& output_noise() const noexcept { return r_; }
  [[nodiscard]] double process_scale() const noexcept;
  /// Where the model could not follow last; NaN: it always could.
  [[nodiscard]] const Eigen::VectorXd& unreached() const noexcept { return unreached_; }

 private:
  /// What a step reads and where it starts: enough to run it again.
  struct Moment {
    double time = 0.0;  // s since the step before
    Eigen::VectorXd before, now, z;
    DynamicBelief belief;
    SwitchRule rule;
    int locked_out = 0;
    Eigen::VectorXd reached;
  };

  struct Adaptation {
    DynamicAdapter adapter;
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
  Status predict(ObservedInput& u, Kernel* kernel) noexcept;
  [[nodiscard]] bool reaches(const Eigen::VectorXd& state) const noexcept;
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
  [[nodiscard]] const DynamicNoise& output_noise_at(const ObservedInput& u) noexcept;

  ObservedModel& model_;  // of the observer, which owns the steps too
  const ObservedLayout& layout_;
  std::unique_ptr<AnyFilter> filter_;
  DynamicNoise r_;
  std::optional<StampNoise> stamps_;  // where the stamps scatter
  const DynamicNoise* q_ = nullptr;   // of the last prediction, in the model
  SwitchRule rule_;
  std::optional<Adaptation> adaptation_;
  int late_steps_;
  StepRing<Moment> moments_;
  DynamicBelief before_, predicted_;  // of the step
  DynamicBelief moved_;               // workspace, as are goal_ and way_
  Eigen::VectorXd reached_;           // a mean that could be reached
  Eigen::VectorXd goal_, way_;
  std::vector<double> wild_limits_;  // of the NIS, for 0, 1, ... outputs
  int lowest_order_ = 2;             // of the outputs: 0 if there are positions
  int locked_out_ = 0;               // steps in a row
  Eigen::VectorXd unreached_;
  Eigen::VectorXd last_inputs_;                 // readings of the inputs in the last step
  Eigen::VectorXd late_inputs_, late_outputs_;  // workspace of step_late
};

}  // namespace alembert::estimate
