#include "estimate/own_model/own_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using OwnNoise = Noise<double, Eigen::Dynamic>;

// One number stands for all.
VectorXd one_or_each(const char* function, const char* argument, const VectorXd& given, Index n) {
  if (given.size() == 1) return VectorXd::Constant(n, given(0));
  if (given.size() != n) {
    throw InvalidInput(
        {.function = function,
         .argument = argument,
         .rule = n == 1 ? "must be one number" : fmt::format("must have 1 or {} entries", n),
         .value = fmt::format("{}", given.size())});
  }
  return given;
}

void check_positive(const char* function, const char* argument, const VectorXd& values,
                    bool or_zero) {
  for (const double value : values) {
    const bool good = std::isfinite(value) && (or_zero ? value >= 0.0 : value > 0.0);
    if (good) continue;
    throw InvalidInput({.function = function,
                        .argument = argument,
                        .rule = or_zero ? "must be at least 0" : "must be above 0",
                        .value = fmt::format("{}", value)});
  }
}

// Exactly one of two ways to say a thing.
void check_one_of(const char* function, const char* first, bool has_first, const char* second,
                  bool has_second) {
  if (has_first != has_second) return;
  throw InvalidInput({.function = function,
                      .argument = first,
                      .rule = fmt::format("must be given, or {} in its place", second),
                      .value = has_first ? "both" : "neither"});
}

OwnNoise sensor_noise_of(const OwnModelSizes& sizes, const ModelObserverOptions& options) {
  const VectorXd sigma = one_or_each(sizes.function, "sigma", options.sigma, sizes.outputs);
  check_positive(sizes.function, "sigma", sigma, false);
  return OwnNoise::from_deviations(sigma);
}

std::vector<int> counted(int first, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return numbers;
}

ObservedLayout layout_of(const OwnModelSizes& sizes, const ModelObserverOptions& options) {
  check::at_least(sizes.function, "states", static_cast<long long>(sizes.states.size()), 1);
  check::at_least(sizes.function, "outputs", sizes.outputs, 1);
  check::at_least(sizes.function, "inputs", sizes.inputs, 0);
  ObservedLayout layout{.states = sizes.states,
                        .sensors = sizes.inputs + sizes.outputs,
                        .inputs = counted(0, sizes.inputs),
                        .outputs = counted(sizes.inputs, sizes.outputs),
                        .orders = std::vector<int>(static_cast<std::size_t>(sizes.outputs), 0),
                        .angles = std::vector<bool>(static_cast<std::size_t>(sizes.outputs)),
                        .noise = sensor_noise_of(sizes, options)};
  for (const int angle : options.angles) {
    check::in_range(sizes.function, "angles", angle, 0, sizes.outputs - 1);
    layout.angles[static_cast<std::size_t>(angle)] = true;
  }
  return layout;
}

}  // namespace

OwnModelStart start_of(const OwnModelSizes& sizes, const ModelObserverOptions& options,
                       const VectorXd& otherwise) {
  const auto n = static_cast<Index>(sizes.states.size());
  OwnModelStart start{options.mean.size() > 0 ? options.mean : otherwise, options.covariance};
  check::shape(sizes.function, "mean", start.mean, n, 1);
  check_one_of(sizes.function, "deviation", options.deviation.size() > 0, "covariance",
               options.covariance.size() > 0);
  if (options.deviation.size() > 0) {
    const VectorXd deviation = one_or_each(sizes.function, "deviation", options.deviation, n);
    check_positive(sizes.function, "deviation", deviation, true);
    start.covariance = deviation.cwiseAbs2().asDiagonal();
  }
  check::shape(sizes.function, "covariance", start.covariance, n, n);
  return start;
}

OwnModel::OwnModel(const OwnModelSizes& sizes, const ModelObserverOptions& options)
    : layout_(layout_of(sizes, options)),
      pairs_(sizes.pairs),
      each_step_(options.process_noise),
      sum_(MatrixXd::Zero(states(), states())),
      noise_(OwnNoise::from_covariance(sum_)) {
  check_one_of(sizes.function, "density", options.density.size() > 0, "process_noise",
               options.process_noise.size() > 0);
  if (options.density.size() > 0) {
    density_ = one_or_each(sizes.function, "density", options.density, states());
    check_positive(sizes.function, "density", density_, true);
    for (int i = 0; i < states(); ++i) {
      if (density_(i) > 0.0) layout_.scaled.push_back(i);
    }
    return;
  }
  check::shape(sizes.function, "process_noise", each_step_, states(), states());
  check_covariance(sizes.function, "process_noise", each_step_);
  layout_.scaled = counted(0, states());
}

const OwnNoise& OwnModel::process_noise(const ObservedInput& u, const VectorXd& /*mean*/,
                                        double scale) noexcept {
  // Steps of one length have the same noise.
  if (scale == scale_ && (density_.size() == 0 || u.step == step_)) return noise_;
  scale_ = scale;
  step_ = u.step;
  if (density_.size() == 0) {
    sum_ = scale * each_step_;
  } else {
    const double h = u.step;
    sum_.setZero();
    for (int i = 0; i < states(); ++i) sum_(i, i) = scale * density_(i) * h;
    // White noise of density q in y'' through two integrations:
    //   Q = q (h³/3  h²/2; h²/2  h)
    for (const model::SecondOrderPair& pair : pairs_) {
      const auto y = static_cast<Index>(pair.position);
      const auto v = static_cast<Index>(pair.velocity);
      const double q = scale * density_(v);
      sum_(y, y) += q * h * h * h / 3.0;
      sum_(y, v) += q * h * h / 2.0;
      sum_(v, y) = sum_(y, v);
    }
  }
  // Semidefinite by its making: only a step out of the range of numbers fails, and then the filter
  // says so.
  static_cast<void>(noise_.assign(sum_));
  return noise_;
}

}  // namespace alembert::estimate
