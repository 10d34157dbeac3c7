#include "optimize/coloured/band_sums.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <numbers>

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Scaled parts of directions that J does not see below this come from rounding.
constexpr double kPartOfUnseen = 1e-5;

// J of all blocks, one below the other, with zero rows for missing samples, then the priors.
MatrixXd stacked_jacobian(const std::vector<ColouredBlock>& blocks, const MatrixXd& prior) {
  Index rows = prior.rows();
  for (const ColouredBlock& block : blocks) rows += block.residual.size();
  MatrixXd J(rows, blocks.front().jacobian.cols());
  Index first = 0;
  for (const ColouredBlock& block : blocks) {
    const Index length = block.residual.size();
    J.middleRows(first, length) = block.jacobian;
    for (Index t = 0; t < length; ++t) {
      if (std::isnan(block.residual(t))) J.row(first + t).setZero();
    }
    first += length;
  }
  if (prior.rows() > 0) J.bottomRows(prior.rows()) = prior;
  return J;
}

// W of the scaled J = Q R: R⁻¹, or its inverse on what J sees.
void find_back(const MatrixXd& R, double rank_tolerance, OrthonormalColumns& result) {
  const Index p = R.cols();
  const Eigen::BDCSVD<MatrixXd> svd(R, Eigen::ComputeFullV);
  const VectorXd& singular = svd.singularValues();
  const Index rank = (singular.array() > rank_tolerance * singular(0)).count();
  result.unseen.assign(static_cast<std::size_t>(p), false);
  if (rank == p) {
    result.condition = singular(0) / singular(p - 1);
    result.back = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(p, p));
    return;
  }
  result.condition = std::numeric_limits<double>::infinity();
  result.back = svd.matrixV().leftCols(rank) * singular.head(rank).cwiseInverse().asDiagonal();
  for (Index j = 0; j < p; ++j) {
    result.unseen[static_cast<std::size_t>(j)] =
        svd.matrixV().row(j).tail(p - rank).norm() > kPartOfUnseen;
  }
}

// Adds the outer product of one bin to a packed sum.
void add_square(const Eigen::RowVectorXd& row, Eigen::Ref<VectorXd> sum) {
  Index at = 0;
  for (Index j = 0; j < row.size(); ++j) {
    const Index below = row.size() - j - 1;
    sum(at) += row(j) * row(j);
    sum.segment(at + 1, below) += std::numbers::sqrt2 * row(j) * row.tail(below).transpose();
    at += below + 1;
  }
}

void add_block(const CosineBlock& block, const MatrixXd& back, BandSums& sums) {
  // G Jᵀ in the units of θ is W Qᵀ.
  const MatrixXd influence = block.columns * back.transpose();
  for (Index k = 0; k < block.residual.size(); ++k) {
    const Index b = block.bands[static_cast<std::size_t>(k)];
    add_square(block.columns.row(k), sums.squares.col(b));
    sums.sensitivity.row(b) += influence.row(k).cwiseAbs2();
    sums.taken(b) += block.columns.row(k).squaredNorm();
    sums.power(b) += block.residual(k) * block.residual(k);
    sums.bins(b) += block.present;
  }
}

}  // namespace

OrthonormalColumns orthonormal_columns(const std::vector<ColouredBlock>& blocks,
                                       const MatrixXd& prior, double rank_tolerance) {
  OrthonormalColumns result;
  MatrixXd J = stacked_jacobian(blocks, prior);
  const Index p = J.cols();
  const VectorXd norm = J.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
  J = J * norm.cwiseInverse().asDiagonal();
  const MatrixXd R =
      Eigen::HouseholderQR<MatrixXd>(J).matrixQR().topRows(p).triangularView<Eigen::Upper>();
  find_back(R, rank_tolerance, result);
  J = J * result.back;
  result.back = norm.cwiseInverse().asDiagonal() * result.back;
  Index first = 0;
  for (const ColouredBlock& block : blocks) {
    result.blocks.emplace_back(J.middleRows(first, block.residual.size()));
    first += block.residual.size();
  }
  result.prior = J.bottomRows(prior.rows());
  return result;
}

VectorXd to_packed(const MatrixXd& symmetric) {
  const Index p = symmetric.rows();
  VectorXd result(p * (p + 1) / 2);
  Index at = 0;
  for (Index j = 0; j < p; ++j) {
    result.segment(at, p - j) = std::numbers::sqrt2 * symmetric.col(j).tail(p - j);
    result(at) = symmetric(j, j);
    at += p - j;
  }
  return result;
}

MatrixXd from_packed(const VectorXd& vector, Index size) {
  MatrixXd result(size, size);
  Index at = 0;
  for (Index j = 0; j < size; ++j) {
    const Index below = size - j - 1;
    result(j, j) = vector(at);
    result.col(j).tail(below) = vector.segment(at + 1, below) / std::numbers::sqrt2;
    result.row(j).tail(below) = result.col(j).tail(below).transpose();
    at += below + 1;
  }
  return result;
}

BandSums band_sums(const std::vector<CosineBlock>& blocks, int channel, const CosineBands& bands,
                   const MatrixXd& back) {
  const Index p = back.cols();  // the rank of J
  const Index count = bands.count();
  BandSums sums{.channel = channel,
                .squares = MatrixXd::Zero(p * (p + 1) / 2, count),
                .sensitivity = MatrixXd::Zero(count, back.rows()),
                .taken = VectorXd::Zero(count),
                .power = VectorXd::Zero(count),
                .bins = VectorXd::Zero(count),
                .fixed = {},
                .rank = p};
  for (const CosineBlock& block : blocks) {
    if (block.channel == channel) add_block(block, back, sums);
  }
  return sums;
}

}  // namespace alembert::optimize
