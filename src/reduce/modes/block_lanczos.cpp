#include "reduce/modes/block_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/core/random.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

// A basis of few rows has room for several blocks only if they are narrow.
Eigen::Index fitting_block(Eigen::Index block, Eigen::Index rows) {
  return std::clamp<Eigen::Index>(rows / 12, 1, block);
}

/// The growing basis: locked vectors first, then blocks V_1, V_2, ...
class LanczosBasis {
 public:
  LanczosBasis(const ShiftedStructure& factored, const Eigen::MatrixXd& locked,
               const LanczosOptions& options)
      : factored_(factored),
        random_(options.seed),
        locked_(locked.cols()),
        block_(fitting_block(options.block, factored.size() - locked.cols())) {
    const Eigen::Index n = factored.size();
    limit_ = std::min(options.basis, n - locked_);
    Q_.resize(n, locked_ + limit_ + block_);
    Q_.leftCols(locked_) = locked;
    T_ = Eigen::MatrixXd::Zero(limit_ + block_, limit_ + block_);
  }

  void begin() {
    Eigen::MatrixXd start = random_directions(block_);
    append(start, start.colwise().norm().maxCoeff());
  }

  /// One more block. Returns false when there is no room for it.
  bool grow() {
    if (size_ + block_ > limit_) return false;
    const Eigen::Index last = size_ - block_;
    // W = OP V_j
    Eigen::MatrixXd W = factored_.solve(mass_last_);
    solves_ += block_;
    const double scale = W.colwise().norm().maxCoeff();
    // Out of the last two blocks first, which makes one pass over the whole basis enough.
    const Eigen::Index from = std::max<Eigen::Index>(0, last - block_);
    const auto near = Q_.middleCols(locked_ + from, size_ - from);
    Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(locked_ + size_, block_);
    shares.bottomRows(size_ - from) += take_out(near, sparse_times(factored_.mass(), W), W);
    const auto all = Q_.leftCols(locked_ + size_);
    shares += take_out(all, sparse_times(factored_.mass(), W), W);
    T_.block(0, last, size_, block_) = shares.bottomRows(size_);
    append(W, scale);
    T_.block(size_ - block_, last, block_, block_) = R_;
    return true;
  }

  /// Eigenpairs of T with their residuals |R s(last block)|.
  struct Ritz {
    Eigen::VectorXd theta, residual;
    Eigen::MatrixXd s;
  };
  [[nodiscard]] Ritz ritz() const {
    const Eigen::Index m = size_ - block_;
    const Eigen::MatrixXd T = 0.5 * (T_.topLeftCorner(m, m) + T_.topLeftCorner(m, m).transpose());
    EigenParts parts = eigen_parts(T);
    Ritz found{std::move(parts.values), Eigen::VectorXd(m), std::move(parts.vectors)};
    const Eigen::MatrixXd last = R_ * found.s.bottomRows(block_);
    found.residual = last.colwise().norm().transpose();
    return found;
  }

  /// Ritz vectors, purified: x = V s + V_next (R s_last)/θ.
  [[nodiscard]] Eigen::MatrixXd vectors(const Ritz& ritz,
                                        const std::vector<Eigen::Index>& which) const {
    const Eigen::Index m = size_ - block_;
    Eigen::MatrixXd s(size_, which.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      s.col(column).head(m) = ritz.s.col(which[i]);
      s.col(column).tail(block_) = R_ * ritz.s.col(which[i]).tail(block_) / ritz.theta(which[i]);
    }
    return product(Q_.middleCols(locked_, size_), s);
  }

  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] Eigen::Index solves() const { return solves_; }
  [[nodiscard]] Eigen::Index block() const { return block_; }

 private:
  // OP times random columns: nothing of the null space of a singular M.
  Eigen::MatrixXd random_directions(Eigen::Index count) {
    Eigen::MatrixXd columns(factored_.size(), count);
    for (Eigen::Index c = 0; c < count; ++c) {
      columns.col(c) = random_.normal_vector(factored_.size());
    }
    solves_ += count;
    return factored_.solve(sparse_times(factored_.mass(), columns));
  }

  // Adds a block to the basis; columns that have vanished give way to fresh directions.
  void append(Eigen::MatrixXd& W, double scale) {
    std::vector<Eigen::Index> vanished;
    const auto all = Q_.leftCols(locked_ + size_);
    for (Eigen::Index c = 0; c < W.cols(); ++c) {
      if (W.col(c).norm() > 1e-14 * scale) continue;
      vanished.push_back(c);
      W.col(c) = random_directions(1);
    }
    if (size_ == 0 || !vanished.empty()) {
      for (int pass = 0; pass < 2; ++pass) {
        (void)take_out(all, sparse_times(factored_.mass(), W), W);
      }
    }
    OrthonormalBlock made = orthonormal_block(std::move(W), factored_.mass());
    R_ = made.R;
    // Small parts of W carry rounding errors of the large ones: once more against the basis.
    Eigen::MatrixXd columns = std::move(made.columns);
    (void)take_out(all, made.mass_columns, columns);
    made = orthonormal_block(std::move(columns), factored_.mass());
    R_ = made.R * R_;
    for (const Eigen::Index c : vanished) R_.col(c).setZero();
    Q_.middleCols(locked_ + size_, block_) = made.columns;
    mass_last_ = std::move(made.mass_columns);
    size_ += block_;
  }

  const ShiftedStructure& factored_;
  RandomStream random_;
  Eigen::Index locked_, block_;
  Eigen::Index limit_ = 0, size_ = 0, solves_ = 0;
  Eigen::MatrixXd Q_, T_, R_, mass_last_;
};

// The converged ones, nearest to the shift first.
std::vector<Eigen::Index> converged(const LanczosBasis::Ritz& ritz, double tolerance) {
  std::vector<Eigen::Index> which;
  for (Eigen::Index i = 0; i < ritz.theta.size(); ++i) {
    if (ritz.theta(i) != 0.0 && ritz.residual(i) <= tolerance * std::abs(ritz.theta(i))) {
      which.push_back(i);
    }
  }
  std::sort(which.begin(), which.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(ritz.theta(a)) > std::abs(ritz.theta(b));
  });
  return which;
}

Eigen::VectorXd values_of(const LanczosBasis::Ritz& ritz, const std::vector<Eigen::Index>& which,
                          double shift) {
  Eigen::VectorXd values(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    values(static_cast<Eigen::Index>(i)) = shift + 1.0 / ritz.theta(which[i]);
  }
  return values;
}

}  // namespace

LanczosRun block_lanczos(const ShiftedStructure& factored, const Eigen::MatrixXd& locked,
                         const LanczosOptions& options) {
  LanczosRun run;
  if (factored.size() == locked.cols()) return run;
  LanczosBasis basis(factored, locked, options);
  basis.begin();
  Eigen::Index ask_at = options.ask_from;
  bool room = true;
  while (true) {
    room = basis.grow();
    if (room && basis.size() < ask_at) continue;
    if (basis.size() <= basis.block()) break;  // no room for a second block
    const LanczosBasis::Ritz ritz = basis.ritz();
    const std::vector<Eigen::Index> which = converged(ritz, options.tolerance);
    run.values = values_of(ritz, which, factored.shift());
    run.enough = options.enough && options.enough(run.values);
    if (run.enough || !room) {
      run.vectors = basis.vectors(ritz, which);
      break;
    }
    ask_at = basis.size() + std::max(basis.block(), basis.size() / 12);
  }
  run.solves = basis.solves();
  return run;
}

}  // namespace alembert::reduce
