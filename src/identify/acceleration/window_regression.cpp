#include "identify/acceleration/window_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::identify {

namespace {

// Σ a b with four sums: the compiler may then use wide registers.
double dot(const double* a, const double* b, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    sums[0] += a[i] * b[i];
    sums[1] += a[i + 1] * b[i + 1];
    sums[2] += a[i + 2] * b[i + 2];
    sums[3] += a[i + 3] * b[i + 3];
  }
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

WindowRegression::WindowRegression(const EquationOfMotion& equation,
                                   const IntegratedSignals& signals,
                                   const WindowFitOptions& options, bool with_offset)
    : equation_(equation),
      signals_(signals),
      options_(options),
      evaluator_(equation.model),
      inputs_(equation.model.inputs().size()),
      x_row_(equation.model.second_order().front().position),
      v_row_(equation.model.second_order().front().velocity) {
  check::size("fit_window", "forcing", static_cast<long long>(signals.inputs.size()),
              static_cast<long long>(inputs_ * signals.A.size()));
  set_parameters();
  columns_ = free_.size();
  const bool knows_x = signals.displacement_measured;
  const bool knows_v = signals.velocity_measured;
  if (!knows_x) special_[0] = static_cast<int>(columns_++);
  if (!knows_v) special_[1] = static_cast<int>(columns_++);
  if (with_offset) special_[2] = static_cast<int>(columns_++);
  if (options.drift) special_[3] = static_cast<int>(columns_++);
  column_pointers_.assign(columns_, zero_.data());
}

const optimize::Parameter* WindowRegression::given(std::size_t parameter) const {
  const std::string& name = equation_.parameters()[parameter];
  for (const optimize::Parameter& entry : options_.parameters) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

void WindowRegression::set_parameters() {
  const std::vector<std::string>& names = equation_.parameters();
  for (const optimize::Parameter& entry : options_.parameters) {
    if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
      throw InvalidInput({.function = "fit_window",
                          .argument = "parameters",
                          .rule = "must be those of the equation",
                          .value = entry.name});
    }
  }
  for (std::size_t j = 0; j < names.size(); ++j) {
    const optimize::Parameter* entry = given(j);
    const bool fixed = entry != nullptr && entry->fixed;
    if (entry == nullptr && !equation_.linear[j]) {
      throw InvalidInput(
          {.function = "fit_window",
           .argument = "parameters",
           .rule = fmt::format("must give a guess for {}, which enters the equation nonlinearly",
                               names[j])});
    }
    guesses_.push_back(entry != nullptr ? entry->guess : 0.0);
    if (fixed) continue;
    free_.push_back(j);
    all_free_linear_ = all_free_linear_ && equation_.linear[j];
  }
}

// The arguments of the equation at a block of points.
void WindowRegression::place(const Stretch& stretch, const WindowState& state, std::size_t row,
                             std::size_t count) {
  const auto begin = static_cast<std::size_t>(stretch.first);
  const bool knows_x = signals_.displacement_measured;
  const bool knows_v = signals_.velocity_measured;
  const double X = knows_x ? 0.0 : signals_.X[begin];
  const double V = knows_v ? 0.0 : signals_.V[begin];
  const double o = state.offset;
  const double d = state.drift;
  double* t = evaluator_.time();
  double* x = evaluator_.state(x_row_);
  double* v = evaluator_.state(v_row_);
  for (std::size_t i = 0; i < count; ++i) {
    const double tau = static_cast<double>(row + i - begin) * signals_.step;
    time_[i] = tau;
    t[i] = signals_.start_time + static_cast<double>(row + i) * signals_.step;
    const double gone = knows_v ? 0.0 : tau * (state.v0 - V - tau * (o / 2.0 + d * tau / 6.0));
    x[i] = knows_x ? signals_.X[row + i] : signals_.X[row + i] - X + state.x0 + gone;
    v[i] = knows_v ? signals_.V[row + i]
                   : signals_.V[row + i] - V + state.v0 - tau * (o + d * tau / 2.0);
  }
  for (std::size_t k = 0; k < inputs_; ++k) {
    double* u = evaluator_.input(k);
    for (std::size_t i = 0; i < count; ++i) u[i] = signals_.inputs[(row + i) * inputs_ + k];
  }
}

// The derivatives of o + d t + f with respect to x0, v0, o and d.
void WindowRegression::fill_columns(const WindowState& state, std::size_t row, std::size_t count) {
  const auto or_zero = [this](const double* lane) { return lane != nullptr ? lane : zero_.data(); };
  const double* f = evaluator_.value(v_row_);
  const double* fx = or_zero(evaluator_.by_state(v_row_, x_row_));
  const double* fv = or_zero(evaluator_.by_state(v_row_, v_row_));
  const double by_x = signals_.displacement_measured || signals_.velocity_measured ? 0.0 : 1.0;
  const double by_v = signals_.velocity_measured ? 0.0 : 1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = time_[i];
    residual_[i] = signals_.A[row + i] - state.offset - state.drift * t - f[i];
    const double slope = by_x * fx[i];
    const double rate = by_v * fv[i];
    lanes_[1][i] = slope * t + rate;
    lanes_[2][i] = 1.0 - t * (0.5 * slope * t + rate);
    lanes_[3][i] = t - t * t * (slope * t / 6.0 + 0.5 * rate);
  }
  for (std::size_t c = 0; c < free_.size(); ++c) {
    column_pointers_[c] = or_zero(evaluator_.by_parameter(v_row_, free_[c]));
  }
  for (std::size_t k = 0; k < special_.size(); ++k) {
    if (special_[k] < 0) continue;
    column_pointers_[static_cast<std::size_t>(special_[k])] = k == 0 ? fx : lanes_[k].data();
  }
}

WindowRegression::Block WindowRegression::evaluate(const Stretch& stretch, const WindowState& state,
                                                   Eigen::Index done, Eigen::Index points) {
  const auto row = static_cast<std::size_t>(stretch.first + done);
  const auto count = static_cast<std::size_t>(points);
  place(stretch, state, row, count);
  evaluator_.run(count);
  fill_columns(state, row, count);
  const double* fx = evaluator_.by_state(v_row_, x_row_);
  const double* fv = evaluator_.by_state(v_row_, v_row_);
  return {row,
          count,
          time_.data(),
          evaluator_.state(x_row_),
          evaluator_.state(v_row_),
          residual_.data(),
          fx != nullptr ? fx : zero_.data(),
          fv != nullptr ? fv : zero_.data(),
          &column_pointers_};
}

void WindowRegression::add(const Stretch& stretch, const WindowState& state,
                           optimize::NormalEquations& sums) {
  visit(stretch, state, [&sums](const Block& block) {
    const std::vector<const double*>& c = *block.columns;
    for (std::size_t j = 0; j < c.size(); ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      for (std::size_t i = j; i < c.size(); ++i) {
        sums.matrix(static_cast<Eigen::Index>(i), column) += dot(c[i], c[j], block.count);
      }
      sums.gradient(column) += dot(c[j], block.residual, block.count);
    }
    sums.cost += dot(block.residual, block.residual, block.count);
    sums.count += static_cast<Eigen::Index>(block.count);
  });
}

void WindowRegression::move(WindowState& state, const std::vector<double>& step) const {
  for (std::size_t c = 0; c < free_.size(); ++c) {
    double& value = state.parameters[free_[c]];
    value += step[c];
  }
  const std::array<double*, 4> targets{&state.x0, &state.v0, &state.offset, &state.drift};
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (special_[k] >= 0) *targets[k] += step[static_cast<std::size_t>(special_[k])];
  }
}

RegressionPoint WindowRegression::point(const WindowState& state, Eigen::Index from,
                                        Eigen::Index to) const {
  const auto i = static_cast<std::size_t>(from);
  const auto k = static_cast<std::size_t>(to);
  const double t = static_cast<double>(to - from) * signals_.step;
  const double o = state.offset;
  const double d = state.drift;
  RegressionPoint result{signals_.X[k], signals_.V[k], o + d * t};
  const bool knows_v = signals_.velocity_measured;
  if (!signals_.displacement_measured) {
    result.x += state.x0 - signals_.X[i];
    if (!knows_v) result.x += t * (state.v0 - signals_.V[i] - t * (o / 2.0 + d * t / 6.0));
  }
  if (!knows_v) result.v += state.v0 - signals_.V[i] - t * (o + d * t / 2.0);
  return result;
}

WindowState WindowRegression::carried(const WindowState& state, Eigen::Index from,
                                      Eigen::Index to) const {
  const RegressionPoint there = point(state, from, to);
  WindowState result = state;
  result.x0 = there.x;
  result.v0 = there.v;
  result.offset = there.offset;
  return result;
}

}  // namespace alembert::identify
