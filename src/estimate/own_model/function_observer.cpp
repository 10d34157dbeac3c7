#include "alembert/estimate/own_model/function_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "estimate/own_model/own_model.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kFunctionObserver = "FunctionObserver";

OwnModelSizes sizes_of(const FunctionModel& model) {
  return {.function = kFunctionObserver,
          .states = model.states,
          .inputs = model.inputs,
          .outputs = model.outputs};
}

/// Functions as an observed model. What they throw is kept, since steps of observers do not throw.
class FunctionObserved final : public OwnModel {
 public:
  FunctionObserved(FunctionModel model, const ModelObserverOptions& options)
      : OwnModel(sizes_of(model), options), model_(std::move(model)) {}

  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override {
    guard(next, [&] { put(processed(u, vector(x)), next); });
  }
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        MatrixXd& F) const override {
    F.setConstant(kNaN);
    guard(next, [&] {
      const VectorXd at = vector(x);
      put(processed(u, at), next);
      F = model_.process_jacobian
              ? matrix("process_jacobian", model_.process_jacobian(u.step, at, driving(u)), F)
              : differences(at, F, [&](const VectorXd& z) { return processed(u, z); });
    });
  }
  void output(const ObservedInput& u, std::span<const double> x,
              std::span<double> y) const override {
    guard(y, [&] { put(read(u, vector(x)), y); });
  }
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       MatrixXd& H) const override {
    H.setConstant(kNaN);
    guard(y, [&] {
      const VectorXd at = vector(x);
      put(read(u, at), y);
      H = model_.output_jacobian
              ? matrix("output_jacobian", model_.output_jacobian(at, vector(u.now)), H)
              : differences(at, H, [&](const VectorXd& z) { return read(u, z); });
    });
  }

  /// What was thrown, once.
  [[nodiscard]] std::exception_ptr take_failure() const { return std::exchange(failure_, nullptr); }

 private:
  static VectorXd vector(std::span<const double> values) {
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  }
  static void put(const VectorXd& values, std::span<double> to) {
    std::copy(values.begin(), values.end(), to.begin());
  }
  static VectorXd sized(const char* which, VectorXd values, int size) {
    check::size(kFunctionObserver, fmt::format("the result of {}", which), values.size(), size);
    return values;
  }
  static MatrixXd matrix(const char* which, MatrixXd values, const MatrixXd& like) {
    check::shape(kFunctionObserver, fmt::format("the result of {}", which), values, like.rows(),
                 like.cols());
    return values;
  }

  // The inputs of the step before; in the first step those of this one.
  static VectorXd driving(const ObservedInput& u) {
    VectorXd inputs = vector(u.before);
    for (Index i = 0; i < inputs.size(); ++i) {
      if (std::isnan(inputs(i))) inputs(i) = u.now[static_cast<std::size_t>(i)];
    }
    return inputs;
  }
  [[nodiscard]] VectorXd processed(const ObservedInput& u, const VectorXd& x) const {
    return sized("process", model_.process(u.step, x, driving(u)), states());
  }
  [[nodiscard]] VectorXd read(const ObservedInput& u, const VectorXd& x) const {
    return sized("output", model_.output(x, vector(u.now)), model_.outputs);
  }

  // Central differences: the best step is the cube root of the rounding, times the size of x.
  template <typename Function>
  static MatrixXd differences(VectorXd x, const MatrixXd& like, const Function& function) {
    static const double share = std::cbrt(std::numeric_limits<double>::epsilon());
    MatrixXd J(like.rows(), like.cols());
    for (Index j = 0; j < x.size(); ++j) {
      const double at = x(j);
      const double d = share * std::max(1.0, std::abs(at));
      x(j) = at + d;
      const VectorXd above = function(x);
      x(j) = at - d;
      J.col(j) = (above - function(x)) / (2.0 * d);
      x(j) = at;
    }
    return J;
  }

  template <typename Call>
  void guard(std::span<double> values, const Call& call) const noexcept {
    try {
      if (!failure_) {
        call();
        return;
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    std::fill(values.begin(), values.end(), kNaN);
  }

  FunctionModel model_;
  mutable std::exception_ptr failure_;
};

void check_functions(const FunctionModel& model) {
  for (const auto& [name, given] : {std::pair<const char*, bool>{"process", bool(model.process)},
                                    {"output", bool(model.output)}}) {
    if (given) continue;
    throw InvalidInput({.function = kFunctionObserver, .argument = name, .rule = "must be given"});
  }
}

Observer observer_of(const FunctionModel& model, const ModelObserverOptions& options) {
  check_functions(model);
  auto observed = std::make_unique<FunctionObserved>(model, options);
  const VectorXd zero = VectorXd::Zero(static_cast<Index>(model.states.size()));
  const OwnModelStart start = start_of(sizes_of(model), options, zero);
  return {std::move(observed), start.mean, start.covariance, options};
}

}  // namespace

FunctionObserver::FunctionObserver(const FunctionModel& model, const ModelObserverOptions& options)
    : Observer(observer_of(model, options)) {}

void FunctionObserver::raise_failure() {
  const auto& observed = static_cast<const FunctionObserved&>(model());
  if (const std::exception_ptr failure = observed.take_failure()) {
    std::rethrow_exception(failure);
  }
}

ObserverStep FunctionObserver::step(double step, std::span<const double> readings) {
  const ObserverStep done = Observer::step(step, readings);
  raise_failure();
  return done;
}

ObserverStep FunctionObserver::step_late(double ago, std::span<const double> readings) {
  const ObserverStep done = Observer::step_late(ago, readings);
  raise_failure();
  return done;
}

}  // namespace alembert::estimate
