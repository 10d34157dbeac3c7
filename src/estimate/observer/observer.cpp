#include "alembert/estimate/observer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/observer/steps.hpp"

namespace alembert::estimate {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kAnyObserver = "Observer";

void check_sensors_of(const ObservedLayout& layout) {
  for (const std::vector<int>* sensors : {&layout.inputs, &layout.outputs}) {
    for (const int sensor : *sensors) {
      check::in_range(kAnyObserver, "sensor", sensor, 0, layout.sensors - 1);
    }
  }
  const auto outputs = static_cast<long long>(layout.outputs.size());
  check::size(kAnyObserver, "layout.noise", layout.noise.size(), outputs);
  check::size(kAnyObserver, "layout.orders", static_cast<long long>(layout.orders.size()), outputs);
  if (!layout.angles.empty()) {
    check::size(kAnyObserver, "layout.angles", static_cast<long long>(layout.angles.size()),
                outputs);
  }
}

void check_layout(const ObservedLayout& layout) {
  check::at_least(kAnyObserver, "layout.blocks", layout.blocks, 1);
  const auto states = static_cast<int>(layout.states.size());
  check::in_range(kAnyObserver, "coordinates and derivatives", layout.moving(), 0, states);
  check_sensors_of(layout);
}

}  // namespace

struct Observer::Implementation {
  std::unique_ptr<ObservedModel> model;
  std::unique_ptr<ObserverSteps> steps = nullptr;
};

Observer::Observer(std::unique_ptr<ObservedModel> model, const Eigen::Ref<const VectorXd>& mean,
                   const Eigen::Ref<const MatrixXd>& covariance, const ObserverOptions& options)
    : implementation_(std::make_unique<Implementation>(Implementation{std::move(model)})) {
  ObservedModel& observed = *implementation_->model;
  check_layout(observed.layout());
  implementation_->steps = std::make_unique<ObserverSteps>(
      observed, make_filter(observed, mean, covariance, options), options);
}

Observer::~Observer() = default;
Observer::Observer(Observer&&) noexcept = default;
Observer& Observer::operator=(Observer&&) noexcept = default;

ObserverStep Observer::step(double step, std::span<const double> readings) noexcept {
  return implementation_->steps->step(step, readings, nullptr);
}
ObserverStep Observer::step(double step, std::span<const double> readings,
                            Kernel& kernel) noexcept {
  return implementation_->steps->step(step, readings, &kernel);
}
ObserverStep Observer::step_late(double ago, std::span<const double> readings) noexcept {
  return implementation_->steps->step_late(ago, readings);
}

const ObservedModel& Observer::model() const { return *implementation_->model; }
int Observer::states() const { return static_cast<int>(state_names().size()); }
int Observer::coordinates() const { return model().layout().coordinates(); }
const std::vector<std::string>& Observer::state_names() const { return model().layout().states; }
const VectorXd& Observer::mean() const { return implementation_->steps->filter().mean(); }
MatrixXd Observer::covariance() const { return implementation_->steps->filter().covariance(); }
double Observer::deviation(int state) const noexcept {
  return std::sqrt(std::max(0.0, implementation_->steps->filter().variance(state)));
}
const std::vector<int>& Observer::outputs() const { return model().layout().outputs; }
const Innovation<double, Eigen::Dynamic>& Observer::innovation() const {
  return implementation_->steps->filter().innovation();
}
const VectorXd& Observer::unreached() const { return implementation_->steps->unreached(); }
double Observer::process_scale() const { return implementation_->steps->process_scale(); }
const DynamicNoise& Observer::output_noise() const {
  return implementation_->steps->output_noise();
}
std::vector<DynamicBelief> Observer::smooth(std::span<const Kernel> kernels) const {
  return implementation_->steps->filter().smooth(kernels);
}

}  // namespace alembert::estimate
