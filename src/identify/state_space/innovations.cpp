#include "identify/state_space/innovations.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "core/algebra/general_eigen.hpp"
#include "identify/subspace/noise.hpp"

namespace alembert::identify::state_space {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kLongestPast = 30;    // samples of the autoregression
constexpr Index kSamplesPerPast = 8;  // for each of its regressors
constexpr Index kMostUnknowns = 4000;
constexpr double kRidge = 1e-8;        // of the normal matrix, for states that noise never moves
constexpr double kProcessFloor = 1e-9;  // of the state noise, so that Riccati leaves an unstable K

Index total_rows(const std::vector<MatrixXd>& list) {
  Index sum = 0;
  for (const MatrixXd& one : list) sum += one.rows();
  return sum;
}

// e(k) = v(k) - Σ_i Φ_i v(k-i), least squares; the first `past` samples of each record are lost.
std::vector<MatrixXd> autoregression_errors(const std::vector<MatrixXd>& residuals, Index past) {
  const Index l = residuals.front().cols();
  MatrixXd all(total_rows(residuals) - past * static_cast<Index>(residuals.size()),
               (past + 1) * l);
  Index row = 0;
  for (const MatrixXd& v : residuals) {
    const Index rows = v.rows() - past;
    for (Index i = 0; i <= past; ++i) {
      all.block(row, i * l, rows, l) = v.middleRows(past - i, rows);
    }
    row += rows;
  }
  MatrixXd gram = MatrixXd::Zero(all.cols(), all.cols());
  add_gram(all, gram);
  gram = dense::mirrored(gram);
  MatrixXd normal = gram.bottomRightCorner(past * l, past * l);
  normal.diagonal() *= 1.0 + kRidge;
  const MatrixXd weights = dense::positive_solve(normal, gram.bottomLeftCorner(past * l, l));
  const MatrixXd errors = all.leftCols(l) - product(all.rightCols(past * l), weights);
  std::vector<MatrixXd> list;
  row = 0;
  for (const MatrixXd& v : residuals) {
    list.emplace_back(errors.middleRows(row, v.rows() - past));
    row += v.rows() - past;
  }
  return list;
}

// States of δ(k+1) = F δ + e_i, e_i the unit vector times one innovation: F is block diagonal, so
// each input reaches its own block only. Column (i, j) block: g_ij(k) in the rows of the block of i.
struct Block {
  Index first, size;
};

std::vector<Block> blocks_of(const MatrixXd& F) {
  std::vector<Block> blocks;
  for (Index i = 0; i < F.rows();) {
    const Index size = i + 1 < F.rows() && F(i, i + 1) != 0.0 ? 2 : 1;
    blocks.push_back({i, size});
    i += size;
  }
  return blocks;
}

// Columns (block, component, output): the innovation of one output filtered by one block, started
// by a unit in its first state; a unit in the second one is the same turned by 90 degrees.
MatrixXd filtered_innovations(const MatrixXd& F, const std::vector<Block>& blocks,
                              const std::vector<MatrixXd>& innovations) {
  const Index l = innovations.front().cols();
  MatrixXd columns(total_rows(innovations), F.rows() * l);
  Index row = 0;
  for (const MatrixXd& e : innovations) {
    for (const Block& block : blocks) {
      const double a = F(block.first, block.first);
      const double b = block.size == 2 ? F(block.first + 1, block.first) : 0.0;
      for (Index j = 0; j < l; ++j) {
        double x = 0.0;
        double y = 0.0;
        for (Index k = 0; k < e.rows(); ++k) {
          columns(row + k, block.first * l + j) = x;
          if (block.size == 2) columns(row + k, (block.first + 1) * l + j) = y;
          const double next = a * x - b * y + e(k, j);
          y = b * x + a * y;
          x = next;
        }
      }
    }
    row += e.rows();
  }
  return columns;
}

// With (x, y) the response to a unit in the first state, that to one in the second is (-y, x).
MatrixXd normal_matrix(const std::vector<Block>& blocks, const MatrixXd& gram, const MatrixXd& HWH,
                       Index l) {
  const Index n = HWH.rows();
  MatrixXd normal = MatrixXd::Zero(n * l, n * l);
  // part(i, p): column and sign of component p of the response to a unit in state i.
  const auto part = [](const Block& block, Index i, Index p) -> std::pair<Index, double> {
    if (block.size == 1) return {block.first, 1.0};
    const bool second = i == block.first + 1;
    if (!second) return {block.first + p, 1.0};
    return p == 0 ? std::pair<Index, double>{block.first + 1, -1.0}
                  : std::pair<Index, double>{block.first, 1.0};
  };
  for (const Block& left : blocks) {
    for (Index i = left.first; i < left.first + left.size; ++i) {
      for (const Block& right : blocks) {
        for (Index k = right.first; k < right.first + right.size; ++k) {
          auto target = normal.block(i * l, k * l, l, l);
          for (Index p = 0; p < left.size; ++p) {
            for (Index q = 0; q < right.size; ++q) {
              const auto [c, s] = part(left, i, p);
              const auto [d, t] = part(right, k, q);
              target += s * t * HWH(left.first + p, right.first + q) *
                        gram.block(c * l, d * l, l, l);
            }
          }
        }
      }
    }
  }
  return normal;
}

double predictor_radius(const MatrixXd& F, const MatrixXd& K, const MatrixXd& H) {
  const Eigen::VectorXcd poles = general_eigenvalues(F - K * H);
  return poles.size() == 0 ? 0.0 : poles.cwiseAbs().maxCoeff();
}

}  // namespace

std::optional<GainFit> innovation_gain(const DiscreteModel& model,
                                       const std::vector<MatrixXd>& residuals) {
  const Index n = model.F.rows();
  const Index l = model.H.rows();
  const Index samples = total_rows(residuals);
  const Index past = std::min(kLongestPast, samples / (kSamplesPerPast * l));
  if (n == 0 || n * l > kMostUnknowns || past < 2) return {};
  for (const MatrixXd& v : residuals) {
    if (v.rows() < 4 * past) return {};
  }
  const std::vector<MatrixXd> e = autoregression_errors(residuals, past);
  MatrixXd R = MatrixXd::Zero(l, l);
  for (const MatrixXd& one : e) add_gram(one, R);
  R = dense::mirrored(R) / static_cast<double>(total_rows(e));
  R.diagonal() *= 1.0 + 1e-9;
  const Eigen::LLT<MatrixXd> check(R);
  if (check.info() != Eigen::Success || !(R.diagonal().minCoeff() > 0.0)) return {};
  const MatrixXd W = dense::inverse(R);
  const std::vector<Block> blocks = blocks_of(model.F);
  const MatrixXd columns = filtered_innovations(model.F, blocks, e);
  MatrixXd gram = MatrixXd::Zero(columns.cols(), columns.cols());
  add_gram(columns, gram);
  const MatrixXd WH = W * model.H;
  MatrixXd normal =
      normal_matrix(blocks, dense::mirrored(gram), model.H.transpose() * WH, l);
  MatrixXd target(total_rows(e), l);
  Index row = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    target.middleRows(row, e[i].rows()) = residuals[i].bottomRows(e[i].rows()) - e[i];
    row += e[i].rows();
  }
  // Σ_k g_ij(k)ᵀ Hᵀ W v(k)
  const MatrixXd with = product(columns.transpose(), product(target, WH));
  VectorXd side(n * l);
  for (const Block& block : blocks) {
    const Index c = block.first;
    for (Index j = 0; j < l; ++j) {
      side(c * l + j) = with(c * l + j, c);
      if (block.size == 1) continue;
      side(c * l + j) += with((c + 1) * l + j, c + 1);
      side((c + 1) * l + j) = -with((c + 1) * l + j, c) + with(c * l + j, c + 1);
    }
  }
  normal.diagonal().array() *= 1.0 + kRidge;
  normal.diagonal().array() += 1e-300;
  const VectorXd solution = dense::positive_solve(normal, side);
  GainFit fit{.gain = MatrixXd(n, l), .noise = R};
  for (Index i = 0; i < n; ++i) fit.gain.row(i) = solution.segment(i * l, l).transpose();
  if (!fit.gain.allFinite()) return {};
  if (predictor_radius(model.F, fit.gain, model.H) < 1.0) return fit;
  MatrixXd Q = symmetrised(fit.gain * R * fit.gain.transpose());
  Q.diagonal().array() += kProcessFloor * Q.trace() / static_cast<double>(n);
  const realisation::NoiseModel steady =
      realisation::steady_noise(model.F, model.H, {Q, fit.gain * R, R});
  if (!steady.estimated || !(predictor_radius(model.F, steady.gain, model.H) < 1.0)) return {};
  return GainFit{.gain = steady.gain, .noise = steady.covariance};
}

}  // namespace alembert::identify::state_space
