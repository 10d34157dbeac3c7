#include "estimate/observer/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Readings less probable than this are looked at twice.
constexpr double kWild = 0.9999;

// 2π, or the arc of a full turn with the mechanism's size as arm: estimates less certain than that
// know nothing of a coordinate.
VectorXd spans_of(const model::planar::Mechanism& mechanism) {
  VectorXd spans = VectorXd::Constant(mechanism.coordinates(), 2.0 * std::numbers::pi);
  for (Index i = 0; i < spans.size(); ++i) {
    const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
    if (coordinate.kind != model::planar::CoordinateKind::Angle) spans(i) *= mechanism.size();
  }
  return spans;
}

VectorXd no_readings(const std::vector<int>& sensors) {
  return VectorXd::Constant(static_cast<Index>(sensors.size()),
                            std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

InputNoise::InputNoise(KinematicInputModel model, const DynamicNoise& q)
    : model_(std::move(model)),
      spread_(Eigen::MatrixXd::Zero(model_.states(),
                                    2 * static_cast<Index>(model_.options().inputs.size()))),
      covariance_(q.covariance()),
      q_(q),
      sum_(q) {}

void InputNoise::update(const KinematicInput& u, const VectorXd& mean) noexcept {
  model_.input_spread(u, {mean.data(), static_cast<std::size_t>(mean.size())}, spread_);
  covariance_ = q_.covariance();
  covariance_.noalias() += spread_.lazyProduct(spread_.transpose());
  usable_ = sum_.assign(covariance_);
}

ObserverSteps::ObserverSteps(std::shared_ptr<const model::planar::Mechanism> mechanism,
                             std::unique_ptr<KinematicFilter> filter, ObserverNoise noise,
                             std::vector<int> inputs, std::vector<int> outputs,
                             int derivative_states, const KinematicObserverOptions& options)
    : mechanism_(std::move(mechanism)),
      filter_(std::move(filter)),
      noise_(std::move(noise)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      rule_(options.switching),
      late_steps_(options.late_steps),
      moments_(std::max(1, options.late_steps),
               Moment{0.0, no_readings(inputs_), no_readings(inputs_), no_readings(outputs_),
                      filter_->belief(), rule_, 0, filter_->mean()}),
      before_(filter_->belief()),
      predicted_(filter_->belief()),
      moved_(filter_->belief()),
      reached_(filter_->mean()),
      goal_(reached_),
      way_(reached_),
      spans_(spans_of(*mechanism_)),
      derivative_states_(derivative_states),
      unreached_(
          VectorXd::Constant(mechanism_->coordinates(), std::numeric_limits<double>::quiet_NaN())),
      last_inputs_(no_readings(inputs_)),
      late_inputs_(last_inputs_),
      late_outputs_(no_readings(outputs_)) {
  for (std::size_t m = 0; m <= outputs_.size(); ++m) {
    wild_limits_.push_back(m == 0 ? 0.0 : chi_square_quantile(kWild, static_cast<double>(m)));
  }
  for (const int sensor : outputs_) {
    lowest_order_ = std::min(lowest_order_, mechanism_->sensor_order(sensor));
  }
  check::in_range("KinematicObserver", "late_steps", options.late_steps, 0, 1000000);
  if (options.adapt.window != 0) start_adaptation(options.adapt, options.gate);
}

// The factor of the densities is seen best in the highest derivative, where Q is largest beside P.
void ObserverSteps::start_adaptation(const ObserverAdaptOptions& options, const GateOptions& gate) {
  if (options.process && !noise_.motion) {
    throw InvalidInput({.function = "KinematicObserver",
                        .argument = "adapt.process",
                        .rule = "must be off in the input form, which has no density",
                        .value = "on"});
  }
  if (options.process && options.outputs) {
    throw InvalidInput({.function = "KinematicObserver",
                        .argument = "adapt.process and adapt.outputs",
                        .rule = "must not both be on, the innovations do not tell them apart",
                        .value = "on and on"});
  }
  // The variance of normal numbers that are cut off at a gate of 0.999 is 1 % too small, at 0.99
  // 7 %, and the smaller one cuts off more.
  if (options.outputs && gate.probability < 0.999) {
    throw InvalidInput({.function = "KinematicObserver",
                        .argument = "gate.probability",
                        .rule = "must be at least 0.999 with adapt.outputs, which would take what "
                                "passes for all noise",
                        .value = fmt::format("{}", gate.probability)});
  }
  check::in_range("KinematicObserver", "adapt.process_range", options.process_range, 1.0, 1e12);
  check::in_range("KinematicObserver", "adapt.output_range", options.output_range, 1.0, 1e6);
  const double range =
      options.process ? options.process_range : options.output_range * options.output_range;
  AdaptOptions adapt{.window = options.window,
                     .process = options.process,
                     .outputs = options.outputs,
                     .scale = true,
                     .floor = 1.0 / range,
                     .ceiling = range,
                     .output_trust = options.output_trust};
  if (noise_.motion) adapt.states = noise_.motion->highest_derivatives();
  const DynamicNoise& q = process_noise(false);
  adaptation_.emplace(Adaptation{KinematicAdapter(q, noise_.r, adapt), q});
}

double ObserverSteps::process_scale() const noexcept {
  return adaptation_ ? adaptation_->adapter.level() : 1.0;
}

const DynamicNoise& ObserverSteps::process_noise(bool random_walk) const noexcept {
  if (noise_.motion) return noise_.motion->noise();
  if (random_walk) return noise_.input_form[1];
  return noise_.from_inputs ? noise_.from_inputs->noise() : noise_.input_form[0];
}

bool ObserverSteps::readable(std::span<const double> readings) const noexcept {
  return readings.size() == static_cast<std::size_t>(mechanism_->sensors());
}

void ObserverSteps::read(const std::vector<int>& sensors, std::span<const double> readings,
                         VectorXd& values) const noexcept {
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(sensors[i]);
    values(static_cast<Index>(i)) =
        model::planar::physical_value(mechanism_->description().sensors[sensor], readings[sensor]);
  }
}

Status ObserverSteps::predict(double time, KinematicInput& u, Kernel* kernel) noexcept {
  if (noise_.motion) {
    noise_.motion->set(time, process_scale());
    return filter_->predict(u, noise_.motion->noise(), kernel);
  }
  u.random_walk = rule_.update(filter_->determinant(u.before), time);
  if (noise_.from_inputs && !u.random_walk) noise_.from_inputs->update(u, filter_->mean());
  Status status = filter_->predict(u, process_noise(u.random_walk), kernel);
  if (status != Status::Success && !u.random_walk) {
    // No acceleration from these inputs: the random walk needs none.
    u.random_walk = true;
    status = filter_->predict(u, process_noise(true), kernel);
  }
  return status;
}

bool ObserverSteps::entered(const UpdateReport& report, int output) const noexcept {
  if (!report.accepted) return false;
  const Innovation<double, Eigen::Dynamic>& used = filter_->innovation();
  const auto end = used.rows.begin() + used.count;
  return std::find(used.rows.begin(), end, output) != end;
}

ObserverStep ObserverSteps::run(Moment& moment, Kernel* kernel, bool adapt) noexcept {
  if (late_steps_ > 0) {
    moment.belief = filter_->belief();
    moment.rule = rule_;
    moment.locked_out = locked_out_;
    moment.reached = reached_;
  }
  before_ = filter_->belief();
  ObserverStep result;
  result.widened = widen_if_locked_out(moment.time);
  KinematicInput u{moment.time,
                   {moment.before.data(), inputs_.size()},
                   {moment.now.data(), inputs_.size()},
                   false};
  if (moment.time > 0.0) result.status = predict(moment.time, u, kernel);
  const bool predicted = moment.time > 0.0 && result.status == Status::Success;
  if (kernel != nullptr && !predicted) {
    // Nothing moved: x_{k-1} is x_k.
    kernel->mean = kernel->predicted = filter_->mean();
    kernel->gain.setIdentity();
    kernel->spread.setZero();
  }
  if (kernel != nullptr && result.widened) cut(*kernel);
  adapt = adapt && adaptation_ && predicted;
  if (adapt) {
    adaptation_->q = process_noise(u.random_walk);
    filter_->note_prediction(adaptation_->adapter, adaptation_->q);
  }
  result.random_walk = u.random_walk;
  predicted_ = filter_->belief();
  const long unreached = filter_->unreached();
  result.update = filter_->update(u, moment.z, noise_.r);
  reject_overflow(result.update);
  keep_in_reach(unreached, result.update);
  if (adapt) {
    filter_->note_update(adaptation_->adapter, result.update, adaptation_->q, noise_.r);
  }
  if (result.status == Status::Success) result.status = result.update.status;
  if (!note_reach(unreached, result) && result.update.status == Status::NotFinite) {
    hold(moment.time, kernel);
  }
  count_locked_out(moment, result.update);
  return result;
}

ObserverStep ObserverSteps::step(double time, std::span<const double> readings,
                                 Kernel* kernel) noexcept {
  if (!readable(readings)) return {.status = Status::Stopped};
  if (!std::isfinite(time) || time < 0.0) return {.status = Status::NotFinite};
  Moment& moment = moments_.next();
  moment.time = time;
  moment.before = last_inputs_;
  read(inputs_, readings, moment.now);
  read(outputs_, readings, moment.z);
  last_inputs_ = moment.now;
  return run(moment, kernel, true);
}

}  // namespace alembert::estimate
