#pragma once

#include <Eigen/Core>
#include <array>

namespace alembert::signal {

inline constexpr int kMaxPenalty = 3;
using BandRow = std::array<double, kMaxPenalty + 1>;
using BandMatrix = Eigen::Matrix<double, Eigen::Dynamic, kMaxPenalty + 1, Eigen::RowMajor>;

/// Upper triangular band matrix U (row i holds columns i .. i+3) and right side, built by
/// orthogonal rotations from rows that come ordered by their first column.
class BandTriangle {
 public:
  explicit BandTriangle(Eigen::Index size)
      : rows_(BandMatrix::Zero(size, kMaxPenalty + 1)), right_(Eigen::VectorXd::Zero(size)) {}

  /// Adds one equation whose entries begin at column `first`.
  void insert(Eigen::Index first, BandRow entries, double right);
  [[nodiscard]] const BandMatrix& rows() const { return rows_; }
  /// Least-squares solution, U x = right.
  [[nodiscard]] Eigen::VectorXd solve() const;
  /// Uᵀ U x = b.
  [[nodiscard]] Eigen::VectorXd solve_normal(const Eigen::VectorXd& b) const;
  /// The band of (Uᵀ U)⁻¹: row i holds the entries (i, i) .. (i, i+3).
  [[nodiscard]] BandMatrix inverse_band() const;

 private:
  [[nodiscard]] Eigen::VectorXd back_substituted(Eigen::VectorXd x) const;

  BandMatrix rows_;
  Eigen::VectorXd right_;
};

/// The equations of a smoothing spline with knots x, weights w and penalty m; see smoothing.hpp.
class SmoothingSystem {
 public:
  /// x increasing, distances near 1; w > 0; more than m knots.
  SmoothingSystem(Eigen::VectorXd x, Eigen::VectorXd w, int m);

  struct Fit {
    Eigen::VectorXd gamma;  ///< coefficients of f⁽ᵐ⁾ in B-splines of order m, n - m of them
    Eigen::VectorXd residual;     ///< y - f
    double sum_of_squares = 0.0;  ///< Σ w (y - f)²
    double degrees_of_freedom = 0.0;
  };
  /// λ >= 0.
  [[nodiscard]] Fit solve(double lambda, const Eigen::VectorXd& y) const;

  [[nodiscard]] const Eigen::VectorXd& knots() const { return x_; }
  [[nodiscard]] const Eigen::VectorXd& weights() const { return w_; }
  [[nodiscard]] int penalty() const { return m_; }

 private:
  void build_differences();
  void build_gram();
  [[nodiscard]] Eigen::VectorXd differences_of(const Eigen::VectorXd& y) const;
  [[nodiscard]] BandTriangle factorised(double lambda, const Eigen::VectorXd& y) const;

  Eigen::VectorXd x_, w_;
  int m_;
  Eigen::Index size_;       // n - m
  BandMatrix differences_;  // row j: column j of Q, rows j .. j+m
  BandMatrix gram_;         // band of R: row j holds the entries (j, j) .. (j, j+m-1)
  BandTriangle root_;       // R = rootᵀ root
};

}  // namespace alembert::signal
