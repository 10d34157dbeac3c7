#include "optimize/coloured/band_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "optimize/coloured/band_traces.hpp"

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

// The upper triangular R of a matrix with many more rows than columns. Rows are taken in portions
// that stay in the cache, each below the R of those before: QR factors of all rows at once wait
// for the memory.
MatrixXd factor_of_tall(const MatrixXd& J) {
  const Index p = J.cols();
  const Index portion = std::max(Index{256}, 6 * p);
  MatrixXd R(0, p);
  for (Index first = 0; first < J.rows(); first += portion) {
    const Index count = std::min(portion, J.rows() - first);
    MatrixXd rows(R.rows() + count, p);
    rows << R, J.middleRows(first, count);
    R = triangular_factor(rows);
  }
  return R;
}

// Whether the singular values say without being computed that R has all its rank:
//   σ_p >= 1/|R⁻¹|_F,  σ_1 <= |R|_F
bool is_surely_regular(const MatrixXd& R, const MatrixXd& inverse, double rank_tolerance) {
  return inverse.allFinite() && rank_tolerance * R.norm() * inverse.norm() < 1.0;
}

// W of the scaled J = Q R: R⁻¹, or its inverse on what J sees.
void find_back(const MatrixXd& R, double rank_tolerance, OrthonormalColumns& result) {
  const Index p = R.cols();
  result.unseen.assign(static_cast<std::size_t>(p), false);
  result.back = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(p, p));
  if (R.rows() == p && is_surely_regular(R, result.back, rank_tolerance)) return;
  const SingularParts parts = singular_parts(R);
  const VectorXd& singular = parts.values;
  const MatrixXd V = parts.right_transposed.transpose();
  const Index rank = (singular.array() > rank_tolerance * singular(0)).count();
  if (rank == p) return;
  result.back = V.leftCols(rank) * singular.head(rank).cwiseInverse().asDiagonal();
  for (Index j = 0; j < p; ++j) {
    result.unseen[static_cast<std::size_t>(j)] = V.row(j).tail(p - rank).norm() > kPartOfUnseen;
  }
}

// Adds the outer product of one bin to a packed sum.
void add_square(const VectorXd& bin, Eigen::Ref<VectorXd> sum) {
  Index at = 0;
  for (Index j = 0; j < bin.size(); ++j) {
    const Index below = bin.size() - j - 1;
    sum(at) += bin(j) * bin(j);
    sum.segment(at + 1, below) += std::numbers::sqrt2 * bin(j) * bin.tail(below);
    at += below + 1;
  }
}

// Adds Σ Q_k Q_kᵀ of neighbouring bins to a packed sum. Several bins at once are one product, which
// is what makes many parameters cheap.
void add_squares(const Eigen::Ref<const MatrixXd>& rows, Eigen::Ref<VectorXd> sum) {
  if (rows.rows() == 1) {
    add_square(rows.transpose(), sum);
    return;
  }
  MatrixXd gram = MatrixXd::Zero(rows.cols(), rows.cols());
  add_gram(rows, gram);
  for (Index j = 0, at = 0; j < gram.cols(); ++j) {
    const Index below = gram.cols() - j - 1;
    sum(at) += gram(j, j);
    sum.segment(at + 1, below) += std::numbers::sqrt2 * gram.col(j).tail(below);
    at += below + 1;
  }
}

// The last bin of those with the same band as `first`, and one.
Index end_of_band(const std::vector<Index>& bands, Index first) {
  const auto begin = bands.begin() + first;
  const auto differs = [&](Index band) { return band != *begin; };
  return std::find_if(begin, bands.end(), differs) - bands.begin();
}

void add_block(const CosineBlock& block, const MatrixXd& back, BandSums& sums) {
  // G Jᵀ in the units of θ is W Qᵀ.
  const MatrixXd influence = product(block.columns, back.transpose());
  for (Index k = 0; k < block.residual.size();) {
    const Index b = block.bands[static_cast<std::size_t>(k)];
    const Index count = end_of_band(block.bands, k) - k;
    if (sums.rows.empty()) {
      add_squares(block.columns.middleRows(k, count), sums.squares.col(b));
    }
    sums.sensitivity.row(b) += influence.middleRows(k, count).colwise().squaredNorm();
    sums.taken(b) += block.columns.middleRows(k, count).squaredNorm();
    sums.power(b) += block.residual.segment(k, count).squaredNorm();
    sums.bins(b) += block.present * static_cast<double>(count);
    if (block.shape.size() > 0) {
      sums.shape(b) += block.present * block.shape.segment(k, count).sum();
    }
    k += count;
  }
}

}  // namespace

OrthonormalColumns orthonormal_columns(const std::vector<ColouredBlock>& blocks,
                                       const MatrixXd& prior, double rank_tolerance, Index asked) {
  OrthonormalColumns result;
  MatrixXd J = stacked_jacobian(blocks, prior);
  const VectorXd norm = J.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
  J = J * norm.cwiseInverse().asDiagonal();
  find_back(factor_of_tall(J), rank_tolerance, result);
  J = product(J, result.back);
  const MatrixXd asked_rows = result.back.topRows(asked);
  result.back = norm.head(asked).cwiseInverse().asDiagonal() * asked_rows;
  result.unseen.resize(static_cast<std::size_t>(asked));
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

namespace {

BandSums sums_of_channel(const std::vector<CosineBlock>& blocks, int channel,
                         const CosineBands& bands, const MatrixXd& back, bool by_rows) {
  const Index r = back.cols();  // the rank of J
  const Index count = bands.count();
  BandSums sums{.channel = channel,
                .squares = MatrixXd::Zero(by_rows ? 0 : r * (r + 1) / 2, count),
                .rows = {},
                .traces = {},
                .sensitivity = MatrixXd::Zero(count, back.rows()),
                .taken = VectorXd::Zero(count),
                .power = VectorXd::Zero(count),
                .bins = VectorXd::Zero(count),
                .fixed = {},
                .shape = VectorXd::Zero(count),
                .rank = r};
  for (const CosineBlock& block : blocks) {
    if (by_rows && block.channel == channel) sums.rows.push_back(&block);
  }
  for (const CosineBlock& block : blocks) {
    if (block.channel == channel) add_block(block, back, sums);
  }
  sums.shape = (sums.bins.array() > 0.0).select(sums.shape.cwiseQuotient(sums.bins), 0.0);
  return sums;
}

}  // namespace

std::vector<BandSums> band_sums(const std::vector<CosineBlock>& blocks,
                                const std::set<int>& channels, const CosineBands& bands,
                                const MatrixXd& back) {
  Index bins = 0;
  for (const CosineBlock& block : blocks) bins += block.residual.size();
  const bool by_rows =
      rows_cost_less(bins, back.cols(), bands.count(), static_cast<Index>(channels.size()));
  std::vector<BandSums> sums;
  for (const int channel : channels) {
    sums.push_back(sums_of_channel(blocks, channel, bands, back, by_rows));
  }
  if (!by_rows) return sums;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    for (std::size_t d = 0; d < sums.size(); ++d) {
      sums[c].traces.push_back(d < c ? MatrixXd(sums[d].traces[c].transpose())
                                     : traces_between(sums[c].rows, sums[d].rows, bands.count()));
    }
  }
  return sums;
}

}  // namespace alembert::optimize
