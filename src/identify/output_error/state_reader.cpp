#include "identify/output_error/state_reader.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/smoothing.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Fewer measured samples than this say nothing about derivatives.
constexpr Index kFewestToSmooth = 8;

// A function at two generic points: what it does not depend on, and whether it is linear in x.
struct Probe {
  MatrixXd first, second;  // ∂/∂x
  VectorXd at_first, at_second;
  VectorXd x_first, x_second;
  std::vector<bool> bare;  // rows that depend on neither parameters nor inputs

  [[nodiscard]] bool linear(Index row) const {
    if (!bare[static_cast<std::size_t>(row)]) return false;
    const double size = first.row(row).cwiseAbs().maxCoeff();
    const double offset_first = at_first(row) - first.row(row).dot(x_first);
    const double offset_second = at_second(row) - second.row(row).dot(x_second);
    const double rounding = 1e-10 * (size + std::abs(offset_first));
    return std::isfinite(size) &&
           (first.row(row) - second.row(row)).cwiseAbs().maxCoeff() <= rounding &&
           std::abs(offset_first - offset_second) <= rounding;
  }
  [[nodiscard]] double offset(Index row) const {
    return at_first(row) - first.row(row).dot(x_first);
  }
};

bool zero_row(const std::vector<double>& matrix, std::size_t rows, std::size_t row) {
  for (std::size_t i = row; i < matrix.size(); i += rows) {
    if (matrix[i] != 0.0) return false;
  }
  return true;
}

// Evaluates f or g at two states, inputs and times without special values.
template <typename Evaluate>
Probe probe(Index states, std::size_t inputs, model::EquationJacobians& room,
            const Evaluate& evaluate) {
  Probe result;
  const auto rows = static_cast<Index>(room.values.size());
  result.bare.assign(room.values.size(), true);
  for (const bool is_first : {true, false}) {
    VectorXd x(states);
    for (Index j = 0; j < states; ++j) {
      x(j) = (is_first ? 0.37 : 0.71) + 0.13 * std::sin(1.0 + static_cast<double>(j));
    }
    const std::vector<double> u(inputs, is_first ? 0.43 : 0.59);
    evaluate(is_first ? 0.31 : 1.7, x.data(), u.data(), room);
    const Eigen::Map<const MatrixXd> by_state(room.by_state.data(), rows, states);
    (is_first ? result.first : result.second) = by_state;
    (is_first ? result.at_first : result.at_second) =
        Eigen::Map<const VectorXd>(room.values.data(), rows);
    (is_first ? result.x_first : result.x_second) = x;
    for (std::size_t i = 0; i < room.values.size(); ++i) {
      if (!zero_row(room.by_parameter, room.values.size(), i) ||
          !zero_row(room.by_input, room.values.size(), i)) {
        result.bare[i] = false;
      }
    }
  }
  return result;
}

}  // namespace

SmoothOutputs smooth_outputs(const Experiment& experiment) {
  const Index samples = experiment.output.rows();
  const Index outputs = experiment.output.cols();
  const MatrixXd missing = MatrixXd::Constant(samples, outputs, kNaN);
  SmoothOutputs result{missing, missing, missing};
  const VectorXd times =
      VectorXd::LinSpaced(samples, 0.0, static_cast<double>(samples - 1) * experiment.step);
  for (Index i = 0; i < outputs; ++i) {
    const VectorXd y = experiment.output.col(i);
    if ((y.array() == y.array()).count() < kFewestToSmooth) continue;
    const signal::SmoothingResult smooth =
        signal::smooth(times, y, {.penalty = signal::Penalty::ThirdDerivative});
    result.value.col(i) = smooth.fitted;
    result.first.col(i) = smooth.spline.derivative(times, 1);
    result.second.col(i) = smooth.spline.derivative(times, 2);
  }
  return result;
}

StateReader::StateReader(const model::CompiledEquations& compiled, const VectorXd& theta) {
  model::EquationEvaluator evaluator(compiled);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  const auto n = static_cast<Index>(compiled.model().states().size());
  const std::size_t inputs = compiled.model().inputs().size();
  model::EquationJacobians g = evaluator.output_jacobians();
  model::EquationJacobians f = evaluator.derivative_jacobians();
  const Probe outputs =
      probe(n, inputs, g, [&](double t, const double* x, const double* u, auto& out) {
        evaluator.outputs(t, x, u, out);
      });
  const Probe slopes =
      probe(n, inputs, f, [&](double t, const double* x, const double* u, auto& out) {
        evaluator.derivatives(t, x, u, out);
      });
  const Index count = outputs.first.rows();
  R_.resize(0, n);
  const auto add = [&](const Row& row, const VectorXd& gradient, double offset) {
    rows_.push_back(row);
    R_.conservativeResize(R_.rows() + 1, n);
    R_.row(R_.rows() - 1) = gradient.transpose();
    c_.conservativeResize(R_.rows());
    c_(R_.rows() - 1) = offset;
  };
  for (Index i = 0; i < count; ++i) {
    if (!outputs.linear(i) || outputs.first.row(i).isZero(0.0)) continue;
    const VectorXd gradient = outputs.first.row(i).transpose();
    add({i, false}, gradient, outputs.offset(i));
    bool kinematic = true;
    double offset = 0.0;
    for (Index j = 0; j < n; ++j) {
      if (gradient(j) == 0.0) continue;
      kinematic = kinematic && slopes.linear(j);
      offset += gradient(j) * slopes.offset(j);
    }
    if (!kinematic) continue;
    const VectorXd turned = slopes.first.transpose() * gradient;
    if (!turned.isZero(0.0)) add({i, true}, turned, offset);
  }
  if (rows_.empty()) return;
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor(R_);
  inverse_ = factor.pseudoInverse();
  complete_ = factor.rank() == n;
}

void StateReader::correct(const SmoothOutputs& outputs, Index k, double* x) const {
  if (rows_.empty()) return;
  Eigen::Map<VectorXd> state(x, R_.cols());
  VectorXd error(R_.rows());
  for (Index r = 0; r < R_.rows(); ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    const double seen = (row.derivative ? outputs.first : outputs.value)(k, row.output);
    error(r) = std::isfinite(seen) ? seen - c_(r) - R_.row(r).dot(state) : 0.0;
  }
  state += inverse_ * error;
}

VectorXd StateReader::slopes(const SmoothOutputs& outputs, Index k) const {
  VectorXd rate(R_.rows());
  for (Index r = 0; r < R_.rows(); ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    rate(r) = (row.derivative ? outputs.second : outputs.first)(k, row.output);
  }
  return inverse_ * rate;
}

}  // namespace alembert::identify
