#include "optimize/coloured/band_traces.hpp"

#include <algorithm>

#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "optimize/coloured/sine_bins.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A packed number costs as much as so many products: memory that is new, and read several times.
constexpr Index kProductsOfNumber = 100;
// Rows of a product whose squares are summed while they are in the cache.
constexpr Index kTile = 192;

// T(b, b') += Σ G_kl² over bins k of band b and l of band b'.
void add_tile(const MatrixXd& G, const Index* row_bands, const Index* column_bands, MatrixXd& T) {
  for (Index l = 0; l < G.cols(); ++l) {
    double* sums = T.col(column_bands[l]).data();
    const double* column = G.col(l).data();
    for (Index k = 0; k < G.rows(); ++k) sums[row_bands[k]] += column[k] * column[k];
  }
}

// Products of all rows of two blocks, tile by tile. Of a block with itself tiles below the diagonal
// are those above it.
void add_pair(const CosineBlock& one, const CosineBlock& other, MatrixXd& T, MatrixXd& mirrored) {
  const bool same = &one == &other;
  MatrixXd G;
  for (Index i = 0; i < one.columns.rows(); i += kTile) {
    const Index rows = std::min(kTile, one.columns.rows() - i);
    for (Index j = same ? i : 0; j < other.columns.rows(); j += kTile) {
      const Index columns = std::min(kTile, other.columns.rows() - j);
      G.setZero(rows, columns);
      add_outer_product(one.columns.middleRows(i, rows), other.columns.middleRows(j, columns), G);
      add_tile(G, one.bands.data() + i, other.bands.data() + j, same && j > i ? mirrored : T);
    }
  }
}

}  // namespace

bool rows_cost_less(Index bins, Index rank, Index bands, Index channels) {
  return bins * bins <= kProductsOfNumber / 2 * rank * bands * channels;
}

MatrixXd traces_between(const std::vector<const CosineBlock*>& one,
                        const std::vector<const CosineBlock*>& other, Index count) {
  MatrixXd T = MatrixXd::Zero(count, count);
  MatrixXd mirrored = T;
  for (const CosineBlock* first : one) {
    for (const CosineBlock* second : other) add_pair(*first, *second, T, mirrored);
  }
  return T + mirrored + mirrored.transpose();
}

MatrixXd weighted_squares(const BandSums& sums, const VectorXd& weight) {
  if (sums.rows.empty()) return from_packed(sums.squares * weight, sums.rank);
  MatrixXd result = MatrixXd::Zero(sums.rank, sums.rank);  // lower triangle
  for (const CosineBlock* block : sums.rows) {
    const VectorXd roots = weight_of_bins(block->bands, weight.cwiseSqrt());
    add_gram(roots.asDiagonal() * block->columns, result);
  }
  return result.selfadjointView<Eigen::Lower>();
}

VectorXd traces_with(const BandSums& sums, const MatrixXd& V) {
  if (sums.rows.empty()) return sums.squares.transpose() * to_packed(V);
  VectorXd result = VectorXd::Zero(sums.bins.size());
  for (const CosineBlock* block : sums.rows) {
    const VectorXd forms = product(block->columns, V).cwiseProduct(block->columns).rowwise().sum();
    for (Index k = 0; k < forms.size(); ++k) {
      result(block->bands[static_cast<std::size_t>(k)]) += forms(k);
    }
  }
  return result;
}

}  // namespace alembert::optimize
