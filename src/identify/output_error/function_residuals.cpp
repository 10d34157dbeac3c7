#include "identify/output_error/function_residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

FunctionResiduals::FunctionResiduals(const ExactSimulation& simulation,
                                     const std::vector<optimize::Parameter>& parameters,
                                     const Experiments& data, VectorXd weights, double difference)
    : simulation_(simulation),
      parameters_(parameters),
      data_(data),
      weights_(std::move(weights)),
      difference_(difference) {}

MatrixXd FunctionResiduals::outputs(std::size_t experiment, const VectorXd& theta) const {
  MatrixXd y = simulation_.values(theta, data_[experiment]);
  const MatrixXd& measured = data_[experiment].output;
  if (y.rows() != measured.rows() || y.cols() != measured.cols()) {
    throw InvalidInput({.function = "fit_function",
                        .argument = "simulate",
                        .rule = fmt::format("must return {} x {} outputs, as measured",
                                            measured.rows(), measured.cols()),
                        .value = fmt::format("{} x {}", y.rows(), y.cols())});
  }
  if (!y.allFinite()) {
    throw optimize::Infeasible(fmt::format("experiment {} cannot be simulated", experiment + 1));
  }
  return y;
}

MatrixXd FunctionResiduals::weighed(std::size_t experiment, MatrixXd residuals) const {
  residuals *= weights_.asDiagonal();
  const MatrixXd& weight = data_[experiment].weight;
  return weight.size() > 0 ? residuals.cwiseProduct(weight).eval() : residuals;
}

double FunctionResiduals::cost(const VectorXd& theta) const {
  double sum = 0.0;
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const MatrixXd left = weighed(e, data_[e].output - outputs(e, theta));
    sum += left.array().isNaN().select(0.0, left).squaredNorm();
  }
  return sum;
}

// Central differences; where one side is out of the bounds, to the other side.
std::vector<MatrixXd> FunctionResiduals::slopes(std::size_t experiment,
                                                const VectorXd& theta) const {
  if (simulation_.slopes) return simulation_.slopes(theta, data_[experiment]);
  std::vector<MatrixXd> columns(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const optimize::Parameter& one = parameters_[i];
    if (one.fixed) continue;
    const auto at = static_cast<Index>(i);
    const double size = std::max(std::abs(theta(at)), std::abs(one.guess));
    const double d = difference_ * (size > 0.0 ? size : 1.0);
    VectorXd above = theta, below = theta;
    above(at) = std::min(theta(at) + d, one.upper);
    below(at) = std::max(theta(at) - d, one.lower);
    if (!(above(at) > below(at))) continue;
    columns[i] =
        (outputs(experiment, above) - outputs(experiment, below)) / (above(at) - below(at));
  }
  return columns;
}

void FunctionResiduals::add(const VectorXd& theta, optimize::NormalEquations& sums) const {
  VectorXd row(theta.size());
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const MatrixXd left = data_[e].output - outputs(e, theta);
    const std::vector<MatrixXd> columns = slopes(e, theta);
    for (Index k = 0; k < left.rows(); ++k) {
      for (Index i = 0; i < left.cols(); ++i) {
        if (std::isnan(left(k, i))) continue;
        for (std::size_t j = 0; j < columns.size(); ++j) {
          const double slope = columns[j].size() > 0 ? columns[j](k, i) : 0.0;
          row(static_cast<Index>(j)) = -weights_(i) * data_[e].weight_of(k, i) * slope;
        }
        sums.add(weights_(i) * data_[e].weight_of(k, i) * left(k, i), row);
      }
    }
  }
}

std::vector<optimize::ColouredBlock> FunctionResiduals::blocks(const VectorXd& theta,
                                                               const MatrixXd& chain) const {
  std::vector<optimize::ColouredBlock> result;
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const MatrixXd left = data_[e].output - outputs(e, theta);
    const std::vector<MatrixXd> columns = slopes(e, theta);
    for (Index i = 0; i < left.cols(); ++i) {
      if (left.col(i).array().isNaN().all()) continue;  // says nothing in this experiment
      MatrixXd by_parameter = MatrixXd::Zero(left.rows(), theta.size());
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].size() > 0) by_parameter.col(static_cast<Index>(j)) = columns[j].col(i);
      }
      MatrixXd jacobian = -weights_(i) * by_parameter * chain;
      for (Index k = 0; k < left.rows(); ++k) jacobian.row(k) *= data_[e].weight_of(k, i);
      for (Index k = 0; k < left.rows(); ++k) {
        if (std::isnan(left(k, i))) jacobian.row(k).setZero();
      }
      result.push_back({.jacobian = std::move(jacobian),
                        .residual = weighed(e, left).col(i),
                        .channel = static_cast<int>(i),
                        .experiment = static_cast<int>(e)});
    }
  }
  return result;
}

optimize::Objective FunctionResiduals::objective() const {
  return {
      .cost = [this](const VectorXd& theta) { return cost(theta); },
      .sums = [this](const VectorXd& theta, optimize::NormalEquations& sums) { add(theta, sums); },
      .residuals = measured_samples(data_)};
}

}  // namespace alembert::identify
