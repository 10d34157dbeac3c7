#include "estimate/observer_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
// After so many steps without a position that passed its gate the estimate is taken for lost.
constexpr int kLockedOut = 20;
constexpr double kWiden = 10.0;
constexpr double kWidenHeld = 2.0;

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
                      filter_->belief(), rule_, 0}),
      before_(filter_->belief()),
      predicted_(filter_->belief()),
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
  if (options.adapt.window != 0) start_adaptation(options.adapt);
}

// The factor of the densities is seen best in the highest derivative, where Q is largest beside P.
void ObserverSteps::start_adaptation(const ObserverAdaptOptions& options) {
  if (options.process && !noise_.motion) {
    throw InvalidInput(
        "KinematicObserver: adapt.process must be off in the input form, which has no density, got "
        "on");
  }
  if (options.process && options.outputs) {
    throw InvalidInput(
        "KinematicObserver: adapt.process and adapt.outputs must not both be on, the innovations "
        "do not tell them apart, got on and on");
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

// An improbable reading that moves the mechanism where it cannot be is no reading of it.
void ObserverSteps::take_back_wild(UpdateReport& report) noexcept {
  if (!report.accepted || report.nis <= wild_limits_[static_cast<std::size_t>(report.used)]) return;
  if (filter_->reachable()) return;
  filter_->set_belief(predicted_);
  report.accepted = false;
  report.rejected += report.used;
}

// The prediction left the reach of the mechanism and nothing brings it back: the estimate stays
// where it was, at rest and less certain. A smoother cannot look across.
void ObserverSteps::hold(Kernel* kernel) noexcept {
  const Index n = mechanism_->coordinates();
  for (Index i = 0; i < n; ++i) unreached_(i) = predicted_.mean(i);
  if (kernel != nullptr) {
    kernel->mean = before_.mean;
    kernel->predicted = before_.mean;
    kernel->gain.setZero();
    kernel->spread = before_.spread;
  }
  predicted_.mean = before_.mean;
  for (Index i = n; i < derivative_states_; ++i) predicted_.mean(i) = 0.0;
  filter_->set_belief(predicted_);
  filter_->widen(kWidenHeld);
}

bool ObserverSteps::entered(const UpdateReport& report, int output) const noexcept {
  if (!report.accepted) return false;
  const Innovation<double, Eigen::Dynamic>& used = filter_->innovation();
  const auto end = used.rows.begin() + used.count;
  return std::find(used.rows.begin(), end, output) != end;
}

// A gate that keeps all positions out for long has lost the motion: wider deviations let them in.
bool ObserverSteps::widen_if_locked_out(const Moment& moment, const UpdateReport& report) noexcept {
  bool kept_out = false;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (mechanism_->sensor_order(outputs_[i]) != lowest_order_) continue;
    const auto output = static_cast<int>(i);
    if (std::isnan(moment.z(output))) continue;
    if (entered(report, output)) {
      locked_out_ = 0;
      return false;
    }
    kept_out = true;
  }
  if (!kept_out || report.rejected == 0 || ++locked_out_ < kLockedOut) return false;
  filter_->widen(kWiden);
  locked_out_ = 0;
  return true;
}

ObserverStep ObserverSteps::run(Moment& moment, Kernel* kernel, bool adapt) noexcept {
  if (late_steps_ > 0) {
    moment.belief = filter_->belief();
    moment.rule = rule_;
    moment.locked_out = locked_out_;
  }
  before_ = filter_->belief();
  ObserverStep result;
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
  adapt = adapt && adaptation_ && predicted;
  if (adapt) {
    adaptation_->q = process_noise(u.random_walk);
    filter_->note_prediction(adaptation_->adapter, adaptation_->q);
  }
  result.random_walk = u.random_walk;
  predicted_ = filter_->belief();
  const long unreached = filter_->unreached();
  result.update = filter_->update(u, moment.z, noise_.r);
  take_back_wild(result.update);
  if (adapt) {
    filter_->note_update(adaptation_->adapter, result.update, adaptation_->q, noise_.r);
  }
  if (result.status == Status::Success) result.status = result.update.status;
  if (result.status == Status::Success && filter_->unreached() != unreached &&
      !filter_->reachable()) {
    // The sensors themselves say that it is where it cannot be.
    for (Index i = 0; i < unreached_.size(); ++i) unreached_(i) = filter_->mean()(i);
    result.status = Status::NotFinite;
  }
  if (result.update.status == Status::NotFinite) hold(kernel);
  result.widened = widen_if_locked_out(moment, result.update);
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
