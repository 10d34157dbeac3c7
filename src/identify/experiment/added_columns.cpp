#include "identify/experiment/added_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/decompositions.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kFewestForColumns = 8;  // of a prediction that has a slope
constexpr double kHardlyColoured = 0.2;

Index measured_in(const VectorXd& residual) {
  return residual.size() - residual.array().isNaN().count();
}

}  // namespace

bool columns_can_be_added(const ColouredBlocks& blocks, int columns) {
  if (blocks.empty() || blocks.front().jacobian.cols() > kMostForAddedColumns) return false;
  Index samples = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    if (block.residual.size() < kFewestForColumns) return false;
    samples += measured_in(block.residual) - 1;
  }
  return samples >= 2 * (blocks.front().jacobian.cols() + columns);
}

VectorXd least_squares_of(const ColouredBlocks& blocks) {
  Index rows = 0;
  for (const optimize::ColouredBlock& block : blocks) rows += block.residual.size();
  MatrixXd J = MatrixXd::Zero(rows, blocks.front().jacobian.cols());
  VectorXd r = VectorXd::Zero(rows);
  Index first = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    for (Index k = 0; k < block.residual.size(); ++k) {
      if (std::isnan(block.residual(k))) continue;
      J.row(first + k) = block.jacobian.row(k);
      r(first + k) = block.residual(k);
    }
    first += block.residual.size();
  }
  VectorXd size = J.colwise().norm();
  size = (size.array() > 0.0).select(size, 1.0);
  J.array().rowwise() /= size.transpose().array();
  return Eigen::ColPivHouseholderQR<MatrixXd>(J).solve(r).cwiseQuotient(size);
}

ColouredBlocks left_by(const ColouredBlocks& blocks, const VectorXd& found) {
  ColouredBlocks left = blocks;
  for (optimize::ColouredBlock& block : left) block.residual -= block.jacobian * found;
  return left;
}

double residual_power(const ColouredBlocks& blocks, int channel) {
  double power = 0.0;
  for (const optimize::ColouredBlock& block : blocks) {
    if (channel >= 0 && block.channel != channel) continue;
    power += block.residual.array().isNaN().select(0.0, block.residual).squaredNorm();
  }
  return power;
}

VectorXd lag_correlations(const ColouredBlocks& blocks, int channels) {
  VectorXd products = VectorXd::Zero(channels), squares = VectorXd::Zero(channels);
  for (const optimize::ColouredBlock& block : blocks) {
    const VectorXd r = block.residual.array().isNaN().select(0.0, block.residual);
    squares(block.channel) += r.squaredNorm();
    products(block.channel) += r.head(r.size() - 1).dot(r.tail(r.size() - 1));
  }
  VectorXd rho = VectorXd::Zero(channels);
  for (Index i = 0; i < channels; ++i) {
    const double found = squares(i) > 0.0 ? products(i) / squares(i) : 0.0;
    if (found >= kHardlyColoured) rho(i) = std::min(found, 1.0);
  }
  return rho;
}

ColouredBlocks prewhitened(const ColouredBlocks& blocks, const VectorXd& rho) {
  if ((rho.array() == 0.0).all()) return blocks;
  ColouredBlocks filtered = blocks;
  // Outputs of one experiment stay as long as each other: all lose their first sample.
  for (optimize::ColouredBlock& block : filtered) {
    const double a = rho(block.channel);
    const Index rest = block.residual.size() - 1;
    // x_k - ρ x_{k-1}; a missing sample leaves two gaps
    const MatrixXd J = block.jacobian.bottomRows(rest) - a * block.jacobian.topRows(rest);
    const VectorXd r = block.residual.tail(rest) - a * block.residual.head(rest);
    block.jacobian = J;
    block.residual = r;
  }
  return filtered;
}

}  // namespace alembert::identify
