#include "alembert/estimate/watch/jump_response.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kJump = "jump_response";
constexpr int kMostSteps = 10000;

std::vector<double> inputs_of(const ObservedModel& model, std::span<const double> readings) {
  std::vector<double> inputs;
  for (const int sensor : model.layout().inputs) {
    const double reading = model.physical_value(sensor, readings[static_cast<std::size_t>(sensor)]);
    check::finite(kJump, "reading of an input", reading);
    inputs.push_back(reading);
  }
  return inputs;
}

// The error of the estimate from one step to the next.
class ErrorSteps {
 public:
  ErrorSteps(const Observer& observer, double step, std::span<const double> readings) {
    const ObservedModel& model = observer.model();
    const ObservedLayout& layout = model.layout();
    check::positive(kJump, "step", step);
    check::size(kJump, "readings", static_cast<long long>(readings.size()), layout.sensors);
    const std::vector<double> inputs = inputs_of(model, readings);
    const ObservedInput u{.step = step, .before = inputs, .now = inputs};
    const auto n = static_cast<Index>(observer.states());
    const auto m = static_cast<Index>(layout.outputs.size());
    F = MatrixXd::Zero(n, n);
    MatrixXd H = MatrixXd::Zero(m, n);
    VectorXd next(n), y(m);
    const VectorXd& x = observer.mean();
    const std::span<const double> state(x.data(), static_cast<std::size_t>(n));
    model.process_jacobian(u, state, {next.data(), static_cast<std::size_t>(n)}, F);
    model.output_jacobian(u, state, {y.data(), static_cast<std::size_t>(m)}, H);
    // K = P Hᵀ R⁻¹
    const MatrixXd R = observer.output_noise().covariance();
    const MatrixXd K = R.ldlt().solve(H * observer.covariance()).transpose();
    kept = MatrixXd::Identity(n, n) - K * H;
  }

  MatrixXd F, kept;  // kept = I − K H
};

}  // namespace

VectorXd jump_response(const Observer& observer, double step, std::span<const double> readings,
                       int state, int steps) {
  check::in_range(kJump, "state", state, 0, observer.states() - 1);
  check::at_least(kJump, "steps", steps, 1);
  const ErrorSteps errors(observer, step, readings);
  VectorXd e = -VectorXd::Unit(observer.states(), state);
  const VectorXd held = (1.0 - errors.F(state, state)) * VectorXd::Unit(observer.states(), state);
  VectorXd share(steps + 1);
  share(0) = 0.0;
  for (int k = 1; k <= steps; ++k) {
    e = errors.kept * (errors.F * e - held);
    share(k) = 1.0 + e(state);
  }
  return share;
}

double detection_delay(const Observer& observer, double step, std::span<const double> readings,
                       int state, double excess, double limit) {
  check::positive("detection_delay", "excess", excess);
  check::positive("detection_delay", "limit", limit);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  check::in_range(kJump, "state", state, 0, observer.states() - 1);
  const double wanted = limit * observer.deviation(state) / excess;
  if (!(wanted < 1.0)) return kNever;
  for (int steps = 100; steps <= kMostSteps; steps *= 10) {
    const VectorXd share = jump_response(observer, step, readings, state, steps);
    for (int k = 1; k <= steps; ++k) {
      if (share(k) >= wanted) return step * k;
    }
  }
  return kNever;
}

}  // namespace alembert::estimate
