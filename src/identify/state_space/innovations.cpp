#include "identify/state_space/innovations.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "core/algebra/general_eigen.hpp"
#include "identify/subspace/inputs.hpp"
#include "identify/subspace/noise.hpp"

namespace alembert::identify::state_space {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kLongestPast = 30;    // samples of the autoregression
constexpr Index kSamplesPerPast = 8;  // for each of its regressors
constexpr Index kMostUnknowns = 4000;
constexpr int kMostPasses = 6;
constexpr double kLeastGain = 1e-4;     // relative fall of the errors that is worth a further pass
constexpr double kRidge = 1e-8;         // of the normal matrix, for states that noise never moves
constexpr double kProcessFloor = 1e-9;  // of the state noise, so that Riccati leaves an unstable K

Index total_rows(const std::vector<MatrixXd>& list) {
  Index sum = 0;
  for (const MatrixXd& one : list) sum += one.rows();
  return sum;
}

// e(k) = v(k) - Σ_i Φ_i v(k-i), least squares; the first `past` samples of each record are lost.
std::vector<MatrixXd> autoregression_errors(const std::vector<MatrixXd>& residuals, Index past) {
  const Index l = residuals.front().cols();
  MatrixXd all(total_rows(residuals) - past * static_cast<Index>(residuals.size()), (past + 1) * l);
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
// each input reaches its own block only. Column (i, j) block: g_ij(k) in the rows of the block of
// i.
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
              target +=
                  s * t * HWH(left.first + p, right.first + q) * gram.block(c * l, d * l, l, l);
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

// The K of least |targets - H δ| in the weight W, δ(k+1) = F δ + K e. @pre F is block diagonal.
MatrixXd regressed_gain(const MatrixXd& F, const MatrixXd& H, const std::vector<MatrixXd>& targets,
                        const std::vector<MatrixXd>& e, const MatrixXd& W) {
  const Index n = F.rows();
  const Index l = H.rows();
  const std::vector<Block> blocks = blocks_of(F);
  const MatrixXd columns = filtered_innovations(F, blocks, e);
  MatrixXd gram = MatrixXd::Zero(columns.cols(), columns.cols());
  add_gram(columns, gram);
  const MatrixXd WH = W * H;
  MatrixXd normal = normal_matrix(blocks, dense::mirrored(gram), H.transpose() * WH, l);
  MatrixXd target(total_rows(e), l);
  Index row = 0;
  for (const MatrixXd& one : targets) {
    target.middleRows(row, one.rows()) = one;
    row += one.rows();
  }
  // Σ_k g_ij(k)ᵀ Hᵀ W target(k)
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
  MatrixXd gain(n, l);
  for (Index i = 0; i < n; ++i) gain.row(i) = solution.segment(i * l, l).transpose();
  return gain;
}

// The stable gain of the same spectrum as a given one; none if Riccati finds none.
std::optional<MatrixXd> stable_gain(const DiscreteModel& model, const MatrixXd& gain,
                                    const MatrixXd& R) {
  if (!gain.allFinite()) return {};
  if (predictor_radius(model.F, gain, model.H) < 1.0) return gain;
  MatrixXd Q = symmetrised(gain * R * gain.transpose());
  Q.diagonal().array() += kProcessFloor * Q.trace() / static_cast<double>(gain.rows());
  const realisation::NoiseModel steady =
      realisation::steady_noise(model.F, model.H, {Q, gain * R, R});
  if (!steady.estimated || !(predictor_radius(model.F, steady.gain, model.H) < 1.0)) return {};
  return steady.gain;
}

// e = v - H δ, δ(k+1) = F δ + Kg e.
std::vector<MatrixXd> predictor_errors(const DiscreteModel& model, const MatrixXd& gain,
                                       const std::vector<MatrixXd>& residuals) {
  std::vector<MatrixXd> list;
  for (const MatrixXd& v : residuals) {
    MatrixXd e(v.rows(), v.cols());
    VectorXd state = VectorXd::Zero(model.F.rows());
    for (Index k = 0; k < v.rows(); ++k) {
      const VectorXd error = v.row(k).transpose() - model.H * state;
      e.row(k) = error.transpose();
      state = model.F * state + gain * error;
    }
    list.push_back(std::move(e));
  }
  return list;
}

MatrixXd covariance_of(const std::vector<MatrixXd>& e) {
  MatrixXd R = MatrixXd::Zero(e.front().cols(), e.front().cols());
  for (const MatrixXd& one : e) add_gram(one, R);
  R = dense::mirrored(R) / static_cast<double>(total_rows(e));
  R.diagonal() *= 1.0 + 1e-9;
  return R;
}

// A step of Gauss and Newton from a stable gain: e moves by -H dδ, dδ(k+1) = (F - Kg H) dδ + dKg e.
// In the modes of F - Kg H this is the same regression as before.
MatrixXd improved_gain(const DiscreteModel& model, const MatrixXd& gain,
                       const std::vector<MatrixXd>& e, const MatrixXd& W) {
  const realisation::RealModes modes = realisation::real_modes(model.F - gain * model.H);
  MatrixXd closed = MatrixXd::Zero(gain.rows(), gain.rows());
  for (Index i = 0; i < closed.rows(); ++i) {
    const std::complex<double> z = modes.poles[static_cast<std::size_t>(i)];
    closed(i, i) = z.real();
    if (z.imag() == 0.0 || modes.block[static_cast<std::size_t>(i)] != i) continue;
    closed(i + 1, i + 1) = z.real();
    closed(i, i + 1) = z.imag();
    closed(i + 1, i) = -z.imag();
  }
  return gain + modes.V * regressed_gain(closed, model.H * modes.V, e, e, W);
}

// Sum of the squares of the errors, each output in units of its residual.
double weighted_size(const std::vector<MatrixXd>& e, const VectorXd& weights) {
  double sum = 0.0;
  for (const MatrixXd& one : e) sum += (one * weights.asDiagonal()).squaredNorm();
  return sum;
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
  const VectorXd size = covariance_of(residuals).diagonal();
  if (!(size.minCoeff() > 0.0)) return {};
  const VectorXd weights = size.cwiseSqrt().cwiseInverse();
  std::vector<MatrixXd> e = autoregression_errors(residuals, past);
  std::optional<GainFit> best;
  double least = weighted_size(residuals, weights);
  std::vector<MatrixXd> targets;
  for (std::size_t i = 0; i < e.size(); ++i) {
    targets.emplace_back(residuals[i].bottomRows(e[i].rows()) - e[i]);
  }
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const MatrixXd R = covariance_of(e);
    const Eigen::LLT<MatrixXd> check(R);
    if (check.info() != Eigen::Success || !(R.diagonal().minCoeff() > 0.0)) break;
    const MatrixXd W = dense::inverse(R);
    const std::optional<MatrixXd> gain =
        stable_gain(model,
                    best ? improved_gain(model, best->gain, e, W)
                         : regressed_gain(model.F, model.H, targets, e, W),
                    R);
    if (!gain) break;
    e = predictor_errors(model, *gain, residuals);
    const double now = weighted_size(e, weights);
    if (!(now < (1.0 - kLeastGain) * least)) break;
    least = now;
    best = GainFit{.gain = *gain, .noise = covariance_of(e)};
  }
  return best;
}

}  // namespace alembert::identify::state_space
