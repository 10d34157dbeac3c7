#include "identify/output_error/window_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<RecordWindow> cut_records(const std::vector<EquationRecord>& records,
                                      std::size_t length) {
  std::vector<RecordWindow> windows;
  for (std::size_t e = 0; e < records.size(); ++e) {
    const auto samples = static_cast<std::size_t>(records[e].experiment().samples());
    const std::size_t count = std::max<std::size_t>(samples / std::max<std::size_t>(length, 1), 1);
    for (std::size_t w = 0; w < count; ++w) {
      const std::size_t first = w * samples / count;
      const std::size_t end = (w + 1) * samples / count;
      windows.push_back({e, first, end - first, w + 1 == count});
    }
  }
  return windows;
}

WindowProblem::WindowProblem(const model::CompiledEquations& compiled,
                             const std::vector<EquationRecord>& records,
                             const optimize::Transformation& map, const VectorXd& weights,
                             StartState start)
    : records_(records),
      map_(map),
      weights_(weights),
      start_(start),
      evaluator_(compiled),
      start_values_(evaluator_.start_jacobians()),
      states_(compiled.model().states().size()),
      outputs_(compiled.model().outputs().size()),
      n_(static_cast<Index>(states_)),
      q_(map.free_size()) {
  for (Index k = 0; k < map.size(); ++k) {
    if (map.source(k) >= 0) columns_.push_back(static_cast<int>(k));
  }
  columns_.resize(columns_.size() + states_, -1);
  kappa_ = VectorXd::Zero(n_);
}

void WindowProblem::set_windows(std::vector<RecordWindow> windows) {
  windows_ = std::move(windows);
  std::size_t longest = 0;
  for (const RecordWindow& window : windows_) longest = std::max(longest, window.samples + 1);
  y_.resize(longest * outputs_);
  x_.resize(longest * states_);
  y_slopes_.resize(longest * outputs_ * columns_.size());
  x_slopes_.resize(longest * states_ * columns_.size());
  start_slopes_.assign(states_ * columns_.size(), 0.0);
  const std::size_t moved = columns_.size() - states_;
  for (std::size_t j = 0; j < states_; ++j) start_slopes_[j * columns_.size() + moved + j] = 1.0;
}

void WindowProblem::set_parameters(const VectorXd& theta) {
  evaluator_.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
}

// The samples of a window and, except at the end of the record, the one behind it.
integrate::RecordTask WindowProblem::task_of(const RecordWindow& window) const {
  return records_[window.record].part(window.first, window.samples + (window.last ? 0 : 1));
}

bool WindowProblem::simulate(const RecordWindow& window, const double* start) {
  const integrate::RecordTask task = task_of(window);
  return evaluator_.simulate(task, {start, states_}, {y_.data(), task.samples * outputs_},
                             {x_.data(), task.samples * states_}) == task.samples;
}

bool WindowProblem::simulate_with_slopes(const RecordWindow& window, const double* start) {
  const integrate::RecordTask task = task_of(window);
  const std::size_t columns = columns_.size();
  const integrate::RecordSensitivities sensitivities{
      .columns = columns_,
      .start = start_slopes_,
      .outputs = {y_slopes_.data(), task.samples * outputs_ * columns},
      .states = {x_slopes_.data(), task.samples * states_ * columns}};
  return evaluator_.simulate(task, {start, states_}, {y_.data(), task.samples * outputs_},
                             {x_.data(), task.samples * states_}, sensitivities) == task.samples;
}

// A row of slopes by parameters and start states becomes one by free variables and states.
void WindowProblem::fold(const double* row, VectorXd& folded) const {
  folded.setZero();
  const std::size_t moved = columns_.size() - states_;
  for (std::size_t c = 0; c < moved; ++c) {
    folded(map_.source(columns_[c])) += row[c] * slope_(columns_[c]);
  }
  for (std::size_t j = 0; j < states_; ++j) folded(q_ + static_cast<Index>(j)) = row[moved + j];
}

double WindowProblem::add_misfit(const RecordWindow& window, WindowEquations::Block* block,
                                 WindowEquations& equations) {
  const Experiment& experiment = records_[window.record].experiment();
  VectorXd row(q_ + n_);
  double sum = 0.0;
  for (std::size_t k = 0; k < window.samples; ++k) {
    for (std::size_t i = 0; i < outputs_; ++i) {
      const auto at = static_cast<Index>(window.first + k);
      const auto channel = static_cast<Index>(i);
      const double y = experiment.output(at, channel);
      if (std::isnan(y)) continue;
      const double weight = weights_(channel) * experiment.weight_of(at, channel);
      const double residual = weight * (y - output(k, i));
      sum += residual * residual;
      if (block == nullptr) continue;
      fold(&y_slopes_[(k * outputs_ + i) * columns_.size()], row);
      row *= -weight;
      const auto x = row.head(q_);
      const auto s = row.tail(n_);
      equations.g += residual * x;
      block->g += residual * s;
      for (Index c = 0; c < q_; ++c) {
        equations.C.col(c) += row(c) * x;
        block->B.col(c) += row(c) * s;
      }
      for (Index c = 0; c < n_; ++c) block->A.col(c) += row(q_ + c) * s;
    }
  }
  return sum;
}

bool WindowProblem::rows(Index w, const WindowPoint& point, MatrixXd& residuals, MatrixXd& slopes) {
  const RecordWindow& window = windows_[static_cast<std::size_t>(w)];
  set_parameters(point.theta);
  map_.slopes(point.theta, slope_);
  if (!simulate_with_slopes(window, point.states.col(w).data())) return false;
  const Experiment& experiment = records_[window.record].experiment();
  const auto outputs = static_cast<Index>(outputs_);
  residuals.resize(static_cast<Index>(window.samples), outputs);
  slopes.resize(residuals.size(), q_ + n_);
  VectorXd row(q_ + n_);
  for (Index k = 0; k < residuals.rows(); ++k) {
    for (Index i = 0; i < outputs; ++i) {
      const std::size_t at = static_cast<std::size_t>(k) * outputs_ + static_cast<std::size_t>(i);
      const Index sample = static_cast<Index>(window.first) + k;
      const double weight = weights_(i) * experiment.weight_of(sample, i);
      residuals(k, i) = weight * (experiment.output(sample, i) - y_[at]);
      fold(&y_slopes_[at * columns_.size()], row);
      slopes.row(k * outputs + i) = -weight * row.transpose();
    }
  }
  return true;
}

// κ (x(end) - s₊) of window w, whose simulation is the last one.
double WindowProblem::join(Index w, const WindowPoint& point, WindowEquations* equations) {
  const std::size_t end = windows_[static_cast<std::size_t>(w)].samples;
  VectorXd row(q_ + n_);
  double sum = 0.0;
  for (Index j = 0; j < n_; ++j) {
    const double residual =
        kappa_(j) * (state(end)[static_cast<std::size_t>(j)] - point.states(j, w + 1));
    sum += residual * residual;
    if (equations == nullptr) continue;
    fold(&x_slopes_[(end * states_ + static_cast<std::size_t>(j)) * columns_.size()], row);
    WindowEquations::Block& here = equations->blocks[static_cast<std::size_t>(w)];
    WindowEquations::Block& next = equations->blocks[static_cast<std::size_t>(w) + 1];
    here.transition.row(j) = row.tail(n_).transpose();
    row *= kappa_(j);
    const auto x = row.head(q_);
    const auto s = row.tail(n_);
    equations->g += residual * x;
    here.g += residual * s;
    next.g(j) -= kappa_(j) * residual;
    for (Index c = 0; c < q_; ++c) {
      equations->C.col(c) += row(c) * x;
      here.B.col(c) += row(c) * s;
      next.B(j, c) -= kappa_(j) * row(c);
    }
    for (Index c = 0; c < n_; ++c) here.A.col(c) += row(q_ + c) * s;
    here.O.col(j) -= kappa_(j) * s;
    next.A(j, j) += kappa_(j) * kappa_(j);
  }
  return sum;
}

// κ (x0(θ) - s) of the first window of a record.
void WindowProblem::add_start(const RecordWindow& window, Index w, const WindowPoint& point,
                              WindowEquations* equations, double& cost) {
  const bool found = start_ == StartState::Periodic || start_ == StartState::Free;
  if (window.first != 0 || found) return;
  start_of(records_[window.record], evaluator_, start_values_);
  VectorXd x(q_);
  for (Index j = 0; j < n_; ++j) {
    const auto row = static_cast<std::size_t>(j);
    const double residual = kappa_(j) * (start_values_.values[row] - point.states(j, w));
    cost += residual * residual;
    if (equations == nullptr) continue;
    x.setZero();
    for (std::size_t c = 0; c + states_ < columns_.size(); ++c) {
      const auto k = static_cast<std::size_t>(columns_[c]);
      x(map_.source(columns_[c])) +=
          kappa_(j) * start_values_.by_parameter[k * states_ + row] * slope_(columns_[c]);
    }
    WindowEquations::Block& block = equations->blocks[static_cast<std::size_t>(w)];
    equations->g += residual * x;
    block.g(j) -= kappa_(j) * residual;
    for (Index c = 0; c < q_; ++c) {
      equations->C.col(c) += x(c) * x;
      block.B(j, c) -= kappa_(j) * x(c);
    }
    block.A(j, j) += kappa_(j) * kappa_(j);
  }
}

void WindowProblem::add_priors(WindowPoint& point, WindowEquations& equations) const {
  optimize::NormalEquations all, free;
  all.reset(map_.size());
  map_.add_priors(point.theta, all);
  if (all.count == 0) return;
  map_.reduce(all, slope_, free);
  for (Index c = 0; c < q_; ++c) {
    for (Index r = c; r < q_; ++r) {
      equations.C(r, c) += free.matrix(r, c);
      if (r != c) equations.C(c, r) += free.matrix(r, c);
    }
  }
  equations.g += free.gradient;
}

bool WindowProblem::evaluate(WindowPoint& point) {
  ++evaluations_;
  set_parameters(point.theta);
  WindowEquations none;
  point.misfit = 0.0;
  double joints = 0.0;
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const auto column = static_cast<Index>(w);
    if (!simulate(windows_[w], point.states.col(column).data())) return false;
    point.misfit += add_misfit(windows_[w], nullptr, none);
    add_start(windows_[w], column, point, nullptr, joints);
    if (!windows_[w].last) joints += join(column, point, nullptr);
  }
  point.cost = point.misfit + joints + map_.prior_cost(point.theta);
  return std::isfinite(point.cost);
}

// Memory of equations of the same windows is used again.
void WindowProblem::clear(WindowEquations& equations) const {
  equations.blocks.resize(windows_.size());
  for (WindowEquations::Block& block : equations.blocks) {
    block.A.setZero(n_, n_);
    block.O.setZero(n_, n_);
    block.B.setZero(n_, q_);
    block.g.setZero(n_);
    block.transition.setZero(n_, n_);
  }
  equations.C.setZero(q_, q_);
  equations.g.setZero(q_);
}

bool WindowProblem::linearise(WindowPoint& point, WindowEquations& equations) {
  ++evaluations_;
  set_parameters(point.theta);
  map_.slopes(point.theta, slope_);
  clear(equations);
  point.misfit = 0.0;
  double joints = 0.0;
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const auto column = static_cast<Index>(w);
    if (!simulate_with_slopes(windows_[w], point.states.col(column).data())) return false;
    point.misfit += add_misfit(windows_[w], &equations.blocks[w], equations);
    add_start(windows_[w], column, point, &equations, joints);
    if (!windows_[w].last) joints += join(column, point, &equations);
  }
  add_priors(point, equations);
  point.cost = point.misfit + joints + map_.prior_cost(point.theta);
  return std::isfinite(point.cost);
}

}  // namespace alembert::identify
