#include "identify/output_error/simulation/equation_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "alembert/core/check.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Steps of Newton's method for a periodic state, and the change that ends them, relative to the
// largest state.
constexpr int kShots = 50;
constexpr double kPeriodic = 1e-10;
// Runs before it, and what one of them must bring to be worth another.
constexpr int kRepeats = 4;
constexpr double kFastDecay = 1e-3;

}  // namespace

EquationSimulation::EquationSimulation(const model::CompiledEquations& compiled,
                                       const std::vector<EquationRecord>& records, StartState start,
                                       Eigen::VectorXd weights, StartFit fit)
    : records_(records),
      start_(start),
      fit_(fit),
      weights_(std::move(weights)),
      compiled_(compiled),
      evaluator_(compiled),
      start_values_(evaluator_.start_jacobians()),
      states_(compiled.model().states().size()),
      outputs_(compiled.model().outputs().size()),
      parameters_(compiled.model().parameters().size()) {
  for (const EquationRecord& record : records) {
    if (const std::size_t given = record.task().adaptive.scales.size(); given > 0) {
      check::size("SimulationOptions", "state_scales", static_cast<long long>(given),
                  static_cast<long long>(states_));
    }
  }
  std::size_t longest = 0;
  for (const EquationRecord& record : records) longest = std::max(longest, record.samples());
  // The columns of a start that is found are those of the parameters and of the start itself.
  const bool found = start == StartState::Periodic || start == StartState::Free;
  const std::size_t columns = parameters_ + (found ? states_ : 0);
  for (std::size_t c = 0; c < columns; ++c) {
    columns_.push_back(c < parameters_ ? static_cast<int>(c) : -1);
  }
  x0_.resize(states_);
  start_slopes_.resize(states_ * columns);
  y_.resize(longest * outputs_);
  slopes_.resize(longest * outputs_ * columns);
  x_.resize(longest * states_);
  x_slopes_.resize(start == StartState::Periodic ? longest * states_ * columns : 0);
  if (start != StartState::Free) return;
  free_.resize(records.size());
  start_columns_.assign(states_, -1);
  unit_.assign(states_ * states_, 0.0);
  for (std::size_t j = 0; j < states_; ++j) unit_[j * states_ + j] = 1.0;
}

double EquationSimulation::output(std::size_t k, std::size_t i) const {
  return y_[k * outputs_ + i];
}

Eigen::Map<const Eigen::VectorXd> EquationSimulation::slope(std::size_t k, std::size_t i) const {
  return {slopes_.data() + (k * outputs_ + i) * columns_.size(), static_cast<Index>(parameters_)};
}

Eigen::Map<const Eigen::VectorXd> EquationSimulation::start_slope(std::size_t k,
                                                                  std::size_t i) const {
  return {slopes_.data() + (k * outputs_ + i) * columns_.size() + parameters_,
          static_cast<Index>(states_)};
}

bool EquationSimulation::simulate(const integrate::RecordTask& task, bool with_sensitivities) {
  const std::span<double> y(y_.data(), task.samples * outputs_);
  const std::span<double> x(x_.data(), task.samples * states_);
  if (!with_sensitivities) return evaluator_.simulate(task, x0_, y, x) == task.samples;
  const std::size_t columns = columns_.size();
  const integrate::RecordSensitivities sensitivities{
      .columns = columns_,
      .start = start_slopes_,
      .outputs = {slopes_.data(), task.samples * outputs_ * columns},
      .states = {x_slopes_.data(), x_slopes_.empty() ? 0 : task.samples * states_ * columns}};
  return evaluator_.simulate(task, x0_, y, x, sensitivities) == task.samples;
}

// Runs the record again from where it ended, as long as that brings the ends together fast: most
// transients are gone after one period, and no sensitivities are needed to see it. `found` if the
// last run, whose outputs are there, was periodic. False if a run fails.
bool EquationSimulation::repeat(const EquationRecord& record, bool& found) {
  const std::size_t last = record.samples() - 1;
  double last_change = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRepeats; ++run) {
    if (!simulate(record.task(), false)) return false;
    double change = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < states_; ++i) {
      change = std::max(change, std::abs(x_[last * states_ + i] - x0_[i]));
      size = std::max(size, std::abs(x0_[i]));
    }
    found = change <= kPeriodic * size;
    if (found || (run > 0 && change > kFastDecay * last_change)) return true;
    for (std::size_t i = 0; i < states_; ++i) x0_[i] = x_[last * states_ + i];
    last_change = change;
  }
  return true;
}

// Newton's method on x(T; x0) = x0:  (I - Φ) δ = x(T) - x0  with  Φ = ∂x(T)/∂x0; and then
// ∂x0/∂θ = (I - Φ)⁻¹ ∂x(T)/∂θ at a fixed start.
bool EquationSimulation::settle(const EquationRecord& record, bool with_sensitivities) {
  const auto n = static_cast<Index>(states_);
  const auto p = static_cast<Index>(parameters_);
  const auto columns = static_cast<Index>(columns_.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor> slopes(start_slopes_.data(), n, columns);
  const std::size_t last = record.samples() - 1;
  double last_change = std::numeric_limits<double>::infinity();
  for (int shot = 0; shot < kShots; ++shot) {
    slopes.setZero();
    slopes.rightCols(n).setIdentity();
    if (!simulate(record.task(), true)) return false;
    const Eigen::Map<const RowMajor> end(x_slopes_.data() + last * states_ * columns_.size(), n,
                                         columns);
    const MatrixXd closing = MatrixXd::Identity(n, n) - end.rightCols(n);
    MatrixXd right(n, 1 + p);
    double size = 0.0;
    for (Index i = 0; i < n; ++i) {
      right(i, 0) =
          x_[last * states_ + static_cast<std::size_t>(i)] - x0_[static_cast<std::size_t>(i)];
      size = std::max(size, std::abs(x0_[static_cast<std::size_t>(i)]));
    }
    right.rightCols(p) = end.leftCols(p);
    const MatrixXd solution = dense::solve(closing, right);
    if (!solution.allFinite()) return false;
    double change = 0.0;
    for (Index i = 0; i < n; ++i) {
      x0_[static_cast<std::size_t>(i)] += solution(i, 0);
      change = std::max(change, std::abs(solution(i, 0)));
    }
    const bool stalled = change > 0.3 * last_change && change <= record.noise() * size;
    last_change = change;
    if (change > kPeriodic * size && !stalled) continue;
    if (!with_sensitivities) return true;
    slopes.setZero();
    slopes.leftCols(p) = solution.rightCols(p);
    return true;
  }
  return false;
}

bool EquationSimulation::run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities) {
  evaluator_.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  if (start_ == StartState::Free) return run_free(e, theta, with_sensitivities);
  const EquationRecord& record = records_[e];
  start_of(record, evaluator_, start_values_);
  x0_ = start_values_.values;
  for (std::size_t i = 0; i < states_; ++i) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      start_slopes_[i * columns_.size() + c] =
          c < parameters_ ? start_values_.by_parameter[c * states_ + i] : 0.0;
    }
  }
  if (start_ == StartState::Periodic) {
    bool found = false;
    if (!repeat(record, found)) return false;
    if (found && !with_sensitivities) return true;
    if (!settle(record, with_sensitivities)) return false;
  }
  return simulate(record.task(), with_sensitivities);
}

}  // namespace alembert::identify
