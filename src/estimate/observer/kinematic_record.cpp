#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void check_record(const model::planar::Mechanism& mechanism, const Eigen::Ref<const VectorXd>& time,
                  const Eigen::Ref<const MatrixXd>& readings) {
  const char* const name = "observe_record";
  check::at_least(name, "samples", time.size(), 1);
  check::all_finite(name, "time", time);
  check::shape(name, "readings", readings, time.size(), mechanism.sensors());
  for (Index k = 1; k < time.size(); ++k) {
    if (time(k) <= time(k - 1)) {
      throw InvalidInput(
          {.function = std::string(name),
           .argument = "time",
           .rule = "must rise",
           .value = fmt::format("{} after {} at sample {}", time(k), time(k - 1), k + 1)});
    }
  }
}

VectorXd deviations_of(const MatrixXd& covariance) {
  VectorXd deviations(covariance.rows());
  for (Index i = 0; i < covariance.rows(); ++i) {
    deviations(i) = std::sqrt(std::max(0.0, covariance(i, i)));
  }
  return deviations;
}

// What the sensors said beyond the prediction.
void keep_innovation(const KinematicObserver& observer, bool used, Index k,
                     KinematicEstimate& estimate) {
  const Innovation<double, Eigen::Dynamic>& last = observer.innovation();
  for (int i = 0; i < last.count; ++i) {
    const int row = last.rows[static_cast<std::size_t>(i)];
    if (!std::isfinite(last.values(i))) continue;
    estimate.innovation(k, row) = last.values(i);
    // S = L Lᵀ
    double variance = 0.0;
    for (int j = 0; j <= i; ++j) variance += last.factor(i, j) * last.factor(i, j);
    estimate.innovation_deviation(k, row) = std::sqrt(variance);
    if (used) estimate.whitened(k, row) = last.whitened(i);
  }
}

// Readings that failed their own gate.
void keep_gated(const KinematicObserver& observer, Index k, KinematicEstimate& estimate) {
  const Innovation<double, Eigen::Dynamic>& last = observer.innovation();
  for (int i = 0; i < last.gated; ++i) {
    const int row = last.gated_rows[static_cast<std::size_t>(i)];
    ++estimate.rejected_readings[static_cast<std::size_t>(row)];
    if (!std::isfinite(last.gated_values(i))) continue;
    estimate.innovation(k, row) = last.gated_values(i);
    estimate.innovation_deviation(k, row) = std::sqrt(last.gated_variances(i));
  }
}

// Where, when and why the mechanism could not follow.
std::string failure_words(const KinematicObserver& observer,
                          const model::planar::Mechanism& mechanism, const ObserverStep& step,
                          Index k, double time, const KinematicEstimate& estimate) {
  std::string words =
      fmt::format("the estimate failed first at sample {} (t = {:.6g} s): ", k + 1, time);
  const VectorXd& z = observer.unreached();
  model::planar::MechanismState state = mechanism.make_state();
  const Index n = mechanism.coordinates();
  if (!z.array().isNaN().any() && k > 0 &&
      mechanism.assemble(estimate.mean.row(k - 1).head(n).transpose(), state).ok()) {
    const auto status = mechanism.solve_position({z.data(), static_cast<std::size_t>(n)}, state);
    if (status != model::planar::StepStatus::Success) {
      return words + mechanism.explain(status, z, state) +
             "; look at the start, the noise levels and the geometry";
    }
  }
  return words + fmt::format("{}; look at the start, the noise levels and the geometry",
                             to_string(step.status));
}

// The parts of a result that one step fills.
void keep_step(const KinematicObserver& observer, const ObserverStep& step, Index k,
               const ObserveOptions& options, KinematicEstimate& estimate) {
  keep_gated(observer, k, estimate);
  if (step.widened) ++estimate.widened;
  const MatrixXd covariance = observer.covariance();
  estimate.mean.row(k) = observer.mean().transpose();
  estimate.deviation.row(k) = deviations_of(covariance).transpose();
  if (options.keep_covariances) estimate.covariances.push_back(covariance);
  const bool used = step.update.used > 0 && step.update.accepted;
  if (step.update.used > 0) keep_innovation(observer, used, k, estimate);
  estimate.nis(k) = used ? step.update.nis : std::numeric_limits<double>::quiet_NaN();
  estimate.used.push_back(used ? step.update.used : 0);
  estimate.random_walk.push_back(step.random_walk);
  if (step.status != Status::Success) {
    ++estimate.failed;
  } else if (!step.update.accepted && step.update.rejected > 0) {
    ++estimate.rejected;
    for (int i = 0; i < observer.innovation().count; ++i) {
      const int row = observer.innovation().rows[static_cast<std::size_t>(i)];
      ++estimate.rejected_readings[static_cast<std::size_t>(row)];
    }
  }
}

}  // namespace

KinematicEstimate observe_record(std::shared_ptr<const model::planar::Mechanism> mechanism,
                                 const Eigen::Ref<const VectorXd>& time,
                                 const Eigen::Ref<const MatrixXd>& readings,
                                 const KinematicObserverOptions& options,
                                 const ObserveOptions& observe) {
  check_record(*mechanism, time, readings);
  KinematicObserver observer(mechanism, options);
  const Index samples = time.size();
  KinematicEstimate estimate;
  estimate.names = observer.state_names();
  estimate.mean = estimate.deviation = MatrixXd::Zero(samples, observer.states());
  estimate.nis = VectorXd::Zero(samples);
  estimate.outputs = observer.outputs();
  estimate.rejected_readings.assign(estimate.outputs.size(), 0);
  estimate.innovation = estimate.innovation_deviation = estimate.whitened =
      MatrixXd::Constant(samples, static_cast<Index>(estimate.outputs.size()),
                         std::numeric_limits<double>::quiet_NaN());
  std::vector<KinematicObserver::Kernel> kernels;
  if (observe.smooth) {
    kernels.assign(static_cast<std::size_t>(samples - 1),
                   KinematicObserver::Kernel(observer.states()));
  }
  VectorXd row = VectorXd::Zero(readings.cols());
  Status last_status = Status::Success;
  for (Index k = 0; k < samples; ++k) {
    if (observe.stop != nullptr && observe.stop->requested()) {
      estimate.status = Status::Stopped;
      estimate.message = fmt::format("stopped on request at sample {} of {}", k + 1, samples);
      return estimate;
    }
    row = readings.row(k).transpose();
    const std::span<const double> now(row.data(), static_cast<std::size_t>(row.size()));
    const double step = k == 0 ? 0.0 : time(k) - time(k - 1);
    const ObserverStep result =
        observe.smooth && k > 0 ? observer.step(step, now, kernels[static_cast<std::size_t>(k - 1)])
                                : observer.step(step, now);
    keep_step(observer, result, k, observe, estimate);
    last_status = result.status;
    if (result.status != Status::Success && estimate.failed == 1) {
      estimate.status = result.status;
      estimate.message = failure_words(observer, *mechanism, result, k, time(k), estimate);
    }
  }
  estimate.process_scale = observer.process_scale();
  estimate.output_deviation = observer.output_noise().covariance().diagonal().cwiseSqrt();
  // Single samples that could not be followed do not spoil a record that goes on after them.
  const bool recovered = last_status == Status::Success && 100 * estimate.failed < samples;
  if (recovered) estimate.status = Status::Success;
  if (observe.smooth) {
    const auto beliefs = observer.smooth(kernels);
    estimate.smoothed_mean = estimate.smoothed_deviation =
        MatrixXd::Zero(samples, observer.states());
    for (Index k = 0; k < samples; ++k) {
      const auto& belief = beliefs[static_cast<std::size_t>(k)];
      estimate.smoothed_mean.row(k) = belief.mean.transpose();
      estimate.smoothed_deviation.row(k) = deviations_of(belief.spread).transpose();
    }
  }
  return estimate;
}

}  // namespace alembert::estimate
