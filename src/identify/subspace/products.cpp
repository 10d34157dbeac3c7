#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algebra/dense.hpp"
#include "identify/subspace/innovation_filter.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;
using Complex = std::complex<double>;

namespace {

// First states and sizes of the blocks of Λ.
struct Blocks {
  std::vector<Index> first, size;
};

Blocks blocks_of(const RealModes& modes) {
  Blocks blocks;
  for (Index i = 0; i < modes.V.rows(); ++i) {
    if (modes.block[static_cast<std::size_t>(i)] == i) {
      blocks.first.push_back(i);
      blocks.size.push_back(1);
    } else {
      blocks.size.back() = 2;
    }
  }
  return blocks;
}

// Λ on (zr, zi).
MatrixXd block_matrix(Complex pole, Index size) {
  MatrixXd block(size, size);
  if (size == 1) {
    block << pole.real();
  } else {
    block << pole.real(), -pole.imag(), pole.imag(), pole.real();
  }
  return block;
}

// I - Λ' ⊗ Λ, the matrix of S - Λ S Λ'ᵀ on the columns of S.
MatrixXd stein_matrix(const MatrixXd& left, const MatrixXd& right) {
  const Index a = left.rows();
  const Index b = right.rows();
  MatrixXd matrix = MatrixXd::Identity(a * b, a * b);
  for (Index i = 0; i < b; ++i) {
    for (Index j = 0; j < b; ++j) matrix.block(i * a, j * a, a, a) -= right(i, j) * left;
  }
  return matrix;
}

}  // namespace

double least_separation(const RealModes& modes) {
  double least = 1.0;
  for (const Complex& a : modes.poles) {
    if (std::abs(a) >= 1.0) return 0.0;
    for (const Complex& b : modes.poles) {
      least = std::min({least, std::abs(1.0 - a * b), std::abs(1.0 - a * std::conj(b))});
    }
  }
  return least;
}

MatrixXd products_from_inputs(const RealModes& modes, const FilterColumns& columns,
                              const Eigen::Ref<const MatrixXd>& with, const MatrixXd& first_states,
                              const MatrixXd& last_states) {
  const Index m = columns.inputs;
  MatrixXd result(columns.count(), columns.count());
  result.rightCols(m) = with;
  result.bottomRows(m) = with.transpose();
  const Blocks blocks = blocks_of(modes);
  for (std::size_t s = 0; s < blocks.first.size(); ++s) {
    const Index j = blocks.first[s];
    const Index b = blocks.size[s];
    const MatrixXd right = block_matrix(modes.poles[static_cast<std::size_t>(j)], b);
    for (std::size_t r = 0; r <= s; ++r) {
      const Index i = blocks.first[r];
      const Index a = blocks.size[r];
      const MatrixXd left = block_matrix(modes.poles[static_cast<std::size_t>(i)], a);
      const MatrixXd inverse = dense::inverse(stein_matrix(left, right));
      // Inputs 0..m-1; m is the free motion, which has no input.
      for (Index g = 0; g <= m; ++g) {
        for (Index h = 0; h <= m; ++h) {
          MatrixXd side =
              first_states.col(g).segment(i, a) * first_states.col(h).segment(j, b).transpose() -
              last_states.col(g).segment(i, a) * last_states.col(h).segment(j, b).transpose();
          if (h < m) side.col(0) += left * with.col(h).segment(columns.filtered(g) + i, a);
          if (g < m) {
            side.row(0) += (right * with.col(g).segment(columns.filtered(h) + j, b)).transpose();
          }
          if (g < m && h < m) side(0, 0) += with(columns.direct() + g, h);
          const MatrixXd solution = (inverse * side.reshaped()).reshaped(a, b);
          result.block(columns.filtered(g) + i, columns.filtered(h) + j, a, b) = solution;
          result.block(columns.filtered(h) + j, columns.filtered(g) + i, b, a) =
              solution.transpose();
        }
      }
    }
  }
  return result;
}

}  // namespace alembert::identify::realisation
