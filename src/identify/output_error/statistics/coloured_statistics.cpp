#include "identify/output_error/statistics/coloured_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/optimize/detail/coloured_of_first.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/experiment/noise_options.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of J with columns of norm 1, relative to the largest: what rounding leaves.
constexpr double kSmallestSingularValue = 1e-13;
// Part of sound records in which it is said that windows or experiments disagree.
constexpr double kDisagreement = 0.01;

// What is said about the first p columns.
optimize::ColouredCovariance first_columns(optimize::ColouredCovariance found, Index p) {
  if (found.deviations.size() <= p) return found;
  found.covariance = found.covariance.topLeftCorner(p, p).eval();
  for (VectorXd* one : {&found.deviations, &found.freedom, &found.white, &found.attainable}) {
    *one = one->head(p).eval();
  }
  found.knowledge_of.resize(static_cast<std::size_t>(p));
  found.knowledge = *std::max_element(found.knowledge_of.begin(), found.knowledge_of.end());
  return found;
}

// Of the states s = s' + D θ, with columns for θ and s': diag(C_ss + D C_θs + C_sθ Dᵀ + D C_θθ Dᵀ).
VectorXd state_deviations(const optimize::ColouredCovariance& found, Index p, const MatrixXd& D) {
  const Index states = found.deviations.size() - p;
  if (states <= 0) return {};
  if (D.size() == 0) return found.deviations.tail(states);
  const MatrixXd& C = found.covariance;
  const MatrixXd mixed = D * C.topLeftCorner(p, p) + 2.0 * C.bottomLeftCorner(states, p);
  const VectorXd variances = C.diagonal().tail(states) + mixed.cwiseProduct(D).rowwise().sum();
  return variances.cwiseMax(0.0).cwiseSqrt();
}

void raise_to_lower_limit(optimize::ColouredCovariance& found) {
  for (optimize::Knowledge& one : found.knowledge_of) {
    one = std::max(one, optimize::Knowledge::LowerLimit);
  }
  found.knowledge = std::max(found.knowledge, optimize::Knowledge::LowerLimit);
}

// Holds windows or experiments against each other.
void compare_pieces(const FittedColumns& columns, OutputErrorResult& result) {
  const bool windows = !columns.pieces.empty();
  const optimize::GroupScatter scatter = optimize::allow_for_scatter(
      columns.blocks, static_cast<Index>(columns.names.size()),
      windows ? columns.pieces : optimize::whole_experiments(columns.blocks), columns.prior,
      result.coloured);
  if (!(scatter.probability < kDisagreement)) return;
  if (!result.note.empty()) result.note += "; ";
  result.note += fmt::format(
      "the {} disagree about the parameters by more than their noise does: the model misses "
      "something that differs between them; the standard deviations follow from the scatter of {} "
      "groups of them",
      windows ? "windows" : "experiments", scatter.groups);
}

}  // namespace

// Weights say how large the noise of a sample is, and may be wrong. With residuals e_k and rows
// J_k, both weighed, white noise whose size differs from sample to sample has the covariance
// [White1980]
//   H⁻¹ (Σ e_k² J_kᵀJ_k) H⁻¹,   H = Σ J_kᵀJ_k,
// in place of H⁻¹ Σ e²/N. Deviations grow by the root of the ratio where it is above 1.
void allow_for_weights(const FittedColumns& columns, optimize::ColouredCovariance& found) {
  const Index p = found.deviations.size();
  if (!columns.weighed || p == 0 || !found.covariance.allFinite()) return;
  if (p != columns.blocks.front().jacobian.cols()) return;
  MatrixXd H = MatrixXd::Zero(p, p);
  MatrixXd scattered = H;
  double squares = 0.0, count = 0.0;
  for (const optimize::ColouredBlock& block : columns.blocks) {
    for (Index k = 0; k < block.residual.size(); ++k) {
      const double square = block.residual(k) * block.residual(k);
      if (std::isnan(square)) continue;
      const auto row = block.jacobian.row(k);
      H += row.transpose() * row;
      scattered += square * (row.transpose() * row);
      squares += square;
      count += 1.0;
    }
  }
  if (!(squares > 0.0)) return;
  const VectorXd scale = H.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<MatrixXd> factor(MatrixXd(scale.asDiagonal() * H * scale.asDiagonal()));
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(p, p));
  const MatrixXd middle = scale.asDiagonal() * scattered * scale.asDiagonal();
  const VectorXd ratio = (inverse * middle * inverse).diagonal().array() /
                         (squares / count * inverse.diagonal().array());
  if (!ratio.allFinite()) return;
  const VectorXd growth = ratio.cwiseMax(1.0).cwiseSqrt();
  found.deviations = found.deviations.cwiseProduct(growth);
  found.covariance = growth.asDiagonal() * found.covariance * growth.asDiagonal();
}

MatrixXd widened(const MatrixXd& prior, Index columns) {
  MatrixXd result = MatrixXd::Zero(prior.rows(), columns);
  result.leftCols(prior.cols()) = prior;
  return result;
}

MatrixXd factor_of(const std::vector<optimize::ColouredBlock>& blocks, const MatrixXd& prior) {
  const Index p = prior.cols();
  Index rows = prior.rows();
  for (const optimize::ColouredBlock& block : blocks) rows += block.jacobian.rows();
  MatrixXd J = MatrixXd::Zero(std::max(rows, p), p);
  Index first = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    for (Index k = 0; k < block.jacobian.rows(); ++k) {
      if (!std::isnan(block.residual(k))) J.row(first + k) = block.jacobian.row(k).head(p);
    }
    first += block.jacobian.rows();
  }
  if (prior.rows() > 0) J.middleRows(first, prior.rows()) = prior;
  const Eigen::HouseholderQR<MatrixXd> qr(J);
  return qr.matrixQR().topRows(p).triangularView<Eigen::Upper>();
}

optimize::ColouredOptions coloured_options(const FittedColumns& columns,
                                           const OutputErrorResult& result) {
  optimize::ColouredOptions options = noise_options();
  options.rank_tolerance = kSmallestSingularValue;
  const Index all = columns.blocks.front().jacobian.cols();
  if (all == static_cast<Index>(columns.names.size())) {
    // The same columns: the same directions count as unseen.
    const VectorXd& singular = result.statistics.singular_values;
    options.rank_tolerance = 0.5 * singular(result.statistics.rank - 1) / singular(0);
  }
  if (columns.prior.rows() > 0) options.prior = widened(columns.prior, all);
  return options;
}

VectorXd judge_columns(const FittedColumns& columns, OutputErrorResult& result) {
  const auto p = static_cast<Index>(columns.names.size());
  result.statistics = optimize::estimate_statistics_by_factor(
      columns.names, columns.values, columns.factor, columns.cost, columns.count,
      {.rank_tolerance = kSmallestSingularValue});
  result.statistics.held = result.at_bound;
  if (result.statistics.rank == 0 || result.statistics.freedom < 1) return {};
  const optimize::ColouredOptions options = coloured_options(columns, result);
  optimize::ColouredCovariance found =
      columns.states_asked ? optimize::coloured_covariance(columns.blocks, options)
                           : optimize::coloured_of_first(columns.blocks, p, options);
  allow_for_weights(columns, found);
  VectorXd further = state_deviations(found, p, columns.moved_along);
  result.coloured = first_columns(std::move(found), p);
  if (result.coloured.deviations.size() == 0) return {};
  compare_pieces(columns, result);
  if (columns.states_missing) raise_to_lower_limit(result.coloured);
  result.robust = optimize::with_covariance(result.statistics, result.coloured.covariance);
  return further;
}

}  // namespace alembert::identify
