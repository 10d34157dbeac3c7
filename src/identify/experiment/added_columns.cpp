#include "identify/experiment/added_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

// All blocks under each other, with columns of norm 1; a missing sample is a row of zeros.
struct Columns {
  MatrixXd J;
  VectorXd size, r, measured;
};

Columns columns_of(const ColouredBlocks& blocks) {
  Index rows = 0, first = 0;
  for (const optimize::ColouredBlock& block : blocks) rows += block.residual.size();
  Columns all{.J = MatrixXd(rows, blocks.front().jacobian.cols()),
              .size = {},
              .r = VectorXd(rows),
              .measured = VectorXd(rows)};
  for (const optimize::ColouredBlock& block : blocks) {
    const Index count = block.residual.size();
    const auto missing = block.residual.array().isNaN();
    all.measured.segment(first, count) = missing.select(VectorXd::Zero(count), 1.0);
    all.r.segment(first, count) = missing.select(0.0, block.residual);
    all.J.middleRows(first, count) = block.jacobian;
    for (Index k = 0; missing.any() && k < count; ++k) {
      if (std::isnan(block.residual(k))) all.J.row(first + k).setZero();
    }
    first += count;
  }
  all.size = all.J.colwise().norm();
  all.size = (all.size.array() > 0.0).select(all.size, 1.0);
  all.J.array().rowwise() /= all.size.transpose().array();
  return all;
}

Eigen::ColPivHouseholderQR<MatrixXd> factored(const Columns& all) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(all.J);
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

VectorXd take_off_least_squares(ColouredBlocks& blocks) {
  const Columns all = columns_of(blocks);
  const VectorXd found = factored(all).solve(all.r).cwiseQuotient(all.size);
  for (optimize::ColouredBlock& block : blocks) {
    block.residual.noalias() -= block.jacobian * found;
  }
  return found;
}

LeftByParameters::LeftByParameters(const ColouredBlocks& blocks) {
  const Columns all = columns_of(blocks);
  const Eigen::ColPivHouseholderQR<MatrixXd> factor = factored(all);
  measured_ = all.measured;
  Q_ = factor.householderQ() * MatrixXd::Identity(all.J.rows(), factor.rank());
}

VectorXd LeftByParameters::operator()(const VectorXd& v) const {
  VectorXd left = measured_.array().select(v.array(), 0.0);
  left.noalias() -= Q_ * (Q_.transpose() * left).eval();
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

void prewhiten(ColouredBlocks& blocks, const VectorXd& rho) {
  if ((rho.array() == 0.0).all()) return;
  // Outputs of one experiment stay as long as each other: all lose their first sample.
  for (optimize::ColouredBlock& block : blocks) {
    const double a = rho(block.channel);
    const Index rest = block.residual.size() - 1;
    // x_k - ρ x_{k-1}; a missing sample leaves two gaps
    MatrixXd J = block.jacobian.bottomRows(rest) - a * block.jacobian.topRows(rest);
    VectorXd r = block.residual.tail(rest) - a * block.residual.head(rest);
    block.jacobian = std::move(J);
    block.residual = std::move(r);
  }
}

}  // namespace alembert::identify
