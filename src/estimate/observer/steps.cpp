#include "estimate/observer/steps.hpp"

#include <fmt/format.h>

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

VectorXd no_readings(const std::vector<int>& sensors) {
  return VectorXd::Constant(static_cast<Index>(sensors.size()),
                            std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

ObserverSteps::ObserverSteps(ObservedModel& model, std::unique_ptr<AnyFilter> filter,
                             const ObserverOptions& options)
    : model_(model),
      layout_(model.layout()),
      filter_(std::move(filter)),
      r_(layout_.noise),
      rule_(options.switching),
      late_steps_(options.late_steps),
      moments_(std::max(1, options.late_steps),
               Moment{0.0, no_readings(layout_.inputs), no_readings(layout_.inputs),
                      no_readings(layout_.outputs), filter_->belief(), rule_, 0, filter_->mean()}),
      before_(filter_->belief()),
      predicted_(filter_->belief()),
      moved_(filter_->belief()),
      reached_(filter_->mean()),
      goal_(reached_),
      way_(reached_),
      unreached_(
          VectorXd::Constant(layout_.coordinates(), std::numeric_limits<double>::quiet_NaN())),
      last_inputs_(no_readings(layout_.inputs)),
      late_inputs_(last_inputs_),
      late_outputs_(no_readings(layout_.outputs)) {
  for (std::size_t m = 0; m <= layout_.outputs.size(); ++m) {
    wild_limits_.push_back(m == 0 ? 0.0 : chi_square_quantile(kWild, static_cast<double>(m)));
  }
  for (const int order : layout_.orders) lowest_order_ = std::min(lowest_order_, order);
  check::in_range("Observer", "late_steps", options.late_steps, 0, 1000000);
  check::non_negative("Observer", "jitter", options.jitter);
  if (options.jitter > 0.0) stamps_.emplace(options.jitter, r_, filter_->mean().size());
  if (options.adapt.window != 0) start_adaptation(options.adapt, options.gate);
}

// The factor of the densities is seen best in the highest derivative, where Q is largest beside P.
void ObserverSteps::start_adaptation(const ObserverAdaptOptions& options, const GateOptions& gate) {
  if (options.process && layout_.scaled.empty()) {
    throw InvalidInput({.function = "Observer",
                        .argument = "adapt.process",
                        .rule = "must be off for a model whose noise has no density",
                        .value = "on"});
  }
  if (options.process && options.outputs) {
    throw InvalidInput({.function = "Observer",
                        .argument = "adapt.process and adapt.outputs",
                        .rule = "must not both be on, the innovations do not tell them apart",
                        .value = "on and on"});
  }
  // The variance of normal numbers that are cut off at a gate of 0.999 is 1 % too small, at 0.99
  // 7 %, and the smaller one cuts off more.
  if (options.outputs && gate.probability < 0.999) {
    throw InvalidInput({.function = "Observer",
                        .argument = "gate.probability",
                        .rule = "must be at least 0.999 with adapt.outputs, which would take what "
                                "passes for all noise",
                        .value = fmt::format("{}", gate.probability)});
  }
  check::in_range("Observer", "adapt.process_range", options.process_range, 1.0, 1e12);
  check::in_range("Observer", "adapt.output_range", options.output_range, 1.0, 1e6);
  const double range =
      options.process ? options.process_range : options.output_range * options.output_range;
  const AdaptOptions adapt{.window = options.window,
                           .process = options.process,
                           .outputs = options.outputs,
                           .states = layout_.scaled,
                           .scale = true,
                           .floor = 1.0 / range,
                           .ceiling = range,
                           .output_trust = options.output_trust};
  // Its size alone matters here: with a scale the levels are ratios.
  const DynamicNoise& q =
      model_.process_noise({.step = 1.0, .random_walk = true}, filter_->mean(), 1.0);
  adaptation_.emplace(Adaptation{DynamicAdapter(q, r_, adapt), q});
}

double ObserverSteps::process_scale() const noexcept {
  return adaptation_ ? adaptation_->adapter.level() : 1.0;
}

bool ObserverSteps::reaches(const VectorXd& state) const noexcept {
  return model_.reaches({state.data(), static_cast<std::size_t>(state.size())});
}

bool ObserverSteps::readable(std::span<const double> readings) const noexcept {
  return readings.size() == static_cast<std::size_t>(layout_.sensors);
}

void ObserverSteps::read(const std::vector<int>& sensors, std::span<const double> readings,
                         VectorXd& values) const noexcept {
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto sensor = static_cast<std::size_t>(sensors[i]);
    values(static_cast<Index>(i)) = model_.physical_value(sensors[i], readings[sensor]);
  }
}

Status ObserverSteps::predict(ObservedInput& u, Kernel* kernel) noexcept {
  const bool driven = !layout_.inputs.empty();
  const VectorXd& mean = filter_->mean();
  if (driven) {
    const std::span<const double> x(mean.data(), static_cast<std::size_t>(mean.size()));
    u.random_walk = rule_.update(model_.determinacy(u, x), u.step);
  }
  q_ = &model_.process_noise(u, mean, process_scale());
  const Status status = filter_->predict(u, *q_, kernel);
  if (status == Status::Success || !driven || u.random_walk) return status;
  // No motion from these inputs: the random walk needs none.
  u.random_walk = true;
  q_ = &model_.process_noise(u, mean, process_scale());
  return filter_->predict(u, *q_, kernel);
}

// Nothing moves in a step of no time, and its stamp is that of the step before.
const DynamicNoise& ObserverSteps::output_noise_at(const ObservedInput& u) noexcept {
  return stamps_ && u.step > 0.0 ? stamps_->at(model_, u, filter_->mean(), r_) : r_;
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
  ObservedInput u{moment.time,
                  {moment.before.data(), layout_.inputs.size()},
                  {moment.now.data(), layout_.inputs.size()},
                  false};
  if (moment.time > 0.0) result.status = predict(u, kernel);
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
    adaptation_->q = *q_;
    filter_->note_prediction(adaptation_->adapter, adaptation_->q);
  }
  result.random_walk = u.random_walk;
  predicted_ = filter_->belief();
  const long unreached = model_.unreached();
  result.update = filter_->update(u, moment.z, output_noise_at(u));
  reject_overflow(result.update);
  keep_in_reach(unreached, result.update);
  if (adapt) {
    filter_->note_update(adaptation_->adapter, result.update, adaptation_->q, r_);
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
  read(layout_.inputs, readings, moment.now);
  read(layout_.outputs, readings, moment.z);
  last_inputs_ = moment.now;
  return run(moment, kernel, true);
}

}  // namespace alembert::estimate
