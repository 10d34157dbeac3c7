#include "identify/modes/projection/pole_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/random.hpp"
#include "alembert/optimize/student.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kFirstDamping = 1e-3;
constexpr double kLargestDamping = 1e12;
constexpr double kLeastKept = 0.2;     // of a residual; less is more leverage than this can mend
constexpr double kFewestScores = 2.0;  // degrees of freedom of Student's t

// Factors of S1 and S2 of every unknown: a, b for a real step, -b, a for an imaginary one.
struct StepFactors {
  MatrixXd real, imaginary;  // 2 unknowns x outputs
};

StepFactors step_factors(const PairedModel& model, const MatrixXd& coefficients) {
  const auto count = static_cast<Index>(model.mode_of_unknown.size());
  StepFactors factors{MatrixXd(2 * count, model.outputs), MatrixXd(2 * count, model.outputs)};
  for (Index i = 0; i < count; ++i) {
    const Index r = model.mode_of_unknown[static_cast<std::size_t>(i)];
    factors.real.row(2 * i) = coefficients.row(2 * r);
    factors.real.row(2 * i + 1) = coefficients.row(2 * r + 1);
    factors.imaginary.row(2 * i) = -coefficients.row(2 * r + 1);
    factors.imaginary.row(2 * i + 1) = coefficients.row(2 * r);
  }
  return factors;
}

// Σ over the 2 x 2 blocks of gram .* (left rightᵀ), into every second row and column of `normal`.
void add_blocks(const MatrixXd& gram, const MatrixXd& left, const MatrixXd& right, Index row,
                Index column, MatrixXd& normal) {
  const MatrixXd weighted = gram.cwiseProduct(product(left, right.transpose()));
  for (Index i = 0; 2 * i < gram.rows(); ++i) {
    for (Index k = 0; 2 * k < gram.cols(); ++k) {
      normal(2 * i + row, 2 * k + column) = weighted.block<2, 2>(2 * i, 2 * k).sum();
    }
  }
}

// JᵀJ = sums of (SᵀS) .* (A Aᵀ) over the combinations of signs, Jᵀe alike.
void fill_normal(const PairedModel& model, const MatrixXd& R_ss, const MatrixXd& R_sy,
                 Projected& at) {
  const StepFactors factors = step_factors(model, at.coefficients);
  const MatrixXd gram = product(R_ss.transpose(), R_ss);
  const MatrixXd with_error = product(R_ss.transpose(), R_sy);
  const Index size = gram.rows();
  at.normal.resize(size, size);
  at.gradient.resize(size);
  add_blocks(gram, factors.real, factors.real, 0, 0, at.normal);
  add_blocks(gram, factors.real, factors.imaginary, 0, 1, at.normal);
  add_blocks(gram, factors.imaginary, factors.real, 1, 0, at.normal);
  add_blocks(gram, factors.imaginary, factors.imaginary, 1, 1, at.normal);
  for (Index i = 0; 2 * i < size; ++i) {
    at.gradient(2 * i) =
        with_error.middleRows<2>(2 * i).cwiseProduct(factors.real.middleRows<2>(2 * i)).sum();
    at.gradient(2 * i + 1) =
        with_error.middleRows<2>(2 * i).cwiseProduct(factors.imaginary.middleRows<2>(2 * i)).sum();
  }
}

VectorXd marquardt_step(const Projected& at, double damping) {
  MatrixXd damped = at.normal;
  damped.diagonal() += damping * at.normal.diagonal();
  const Eigen::LDLT<MatrixXd> factor(damped);
  return factor.solve(at.gradient);
}

VectorXcd moved(const VectorXcd& unknowns, const VectorXd& step) {
  VectorXcd next = unknowns;
  for (Index i = 0; i < next.size(); ++i) {
    next(i) += std::complex<double>(step(2 * i), step(2 * i + 1));
  }
  return next;
}

}  // namespace

Projected project(const PairedModel& model, const VectorXcd& unknowns) {
  MatrixXd joint = model.signals(unknowns);
  const Index nx = model.regressors;
  const Index ns = 2 * static_cast<Index>(model.mode_of_unknown.size());
  const Index ny = model.outputs;
  // One QR of [X S Y]: S and Y less their parts in X are Q_s R_ss and Q_s R_sy + Q_y R_yy.
  const MatrixXd R = triangular_factor(joint);
  Projected at;
  at.factor = R.topLeftCorner(nx, nx);
  const auto solve = at.factor.triangularView<Eigen::Upper>();
  at.coefficients = solve.solve(R.block(0, nx + ns, nx, ny));
  at.carried = solve.solve(R.block(0, nx, nx, ns));
  at.cost = R.block(nx, nx + ns, R.rows() - nx, ny).squaredNorm();
  fill_normal(model, R.block(nx, nx, ns, ns), R.block(nx, nx + ns, ns, ny), at);
  return at;
}

PairedFit fit_paired(const PairedModel& model, VectorXcd start, int iterations, double tolerance,
                     double enough) {
  PairedFit fit;
  fit.unknowns = std::move(start);
  fit.at = project(model, fit.unknowns);
  if (fit.unknowns.size() == 0) return fit;
  double damping = kFirstDamping;
  while (fit.iterations < iterations && damping < kLargestDamping && fit.at.cost > enough) {
    ++fit.iterations;
    const VectorXcd next = moved(fit.unknowns, marquardt_step(fit.at, damping));
    if (!next.allFinite() || !model.allowed(next)) {
      damping *= 6.0;
      continue;
    }
    Projected trial = project(model, next);
    const double fall = fit.at.cost - trial.cost;
    const bool small = std::abs(fall) <= tolerance * fit.at.cost;
    if (fall > 0.0) {
      fit.unknowns = next;
      fit.at = std::move(trial);
      damping /= 8.0;
    } else {
      damping *= 6.0;
    }
    if (small) return fit;
  }
  if (damping < kLargestDamping && fit.at.cost > enough) {
    fit.status = Status::NotConverged;
    fit.message = fmt::format("the search over poles did not settle in {} iterations", iterations);
  }
  return fit;
}

MatrixXd inverse_normal(const Projected& at) {
  if (at.normal.size() == 0) return at.normal;
  // Scaled to a unit diagonal: poles and participations have different sizes.
  const VectorXd scale = at.normal.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * at.normal * scale.asDiagonal();
  const Eigen::LLT<MatrixXd> factor(scaled);
  if (factor.info() != Eigen::Success || !scale.allFinite()) {
    return MatrixXd::Constant(scaled.rows(), scaled.cols(), std::nan(""));
  }
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(scaled.rows(), scaled.cols()));
  return scale.asDiagonal() * inverse * scale.asDiagonal();
}

VectorXd drop_of_modes(const PairedModel& model, const Projected& at) {
  const Index nx = model.regressors;
  const MatrixXd root = at.factor.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(nx, nx));
  VectorXd drop(model.modes);
  for (Index r = 0; r < model.modes; ++r) {
    const MatrixXd rows = root.middleRows<2>(2 * r);
    const Eigen::Matrix2d block = rows * rows.transpose();
    const MatrixXd own = at.coefficients.middleRows<2>(2 * r);
    const MatrixXd weighted = block.inverse() * own;
    drop(r) = own.cwiseProduct(weighted).sum();
  }
  return drop;
}

MatrixXd coefficient_variances(const PairedModel& model, const Projected& at,
                               const MatrixXd& covariance) {
  const Index nx = model.regressors;
  const MatrixXd root = at.factor.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(nx, nx));
  const VectorXd linear = root.rowwise().squaredNorm();
  const StepFactors factors = step_factors(model, at.coefficients);
  const Index unknowns = at.gradient.size();
  MatrixXd variances(model.outputs, 2 * model.modes);
  for (Index o = 0; o < model.outputs; ++o) {
    // dc = -X⁺ dX c: column by column of the unknowns.
    MatrixXd carried(2 * model.modes, unknowns);
    for (Index i = 0; 2 * i < unknowns; ++i) {
      const auto pair = at.carried.block(0, 2 * i, 2 * model.modes, 2);
      carried.col(2 * i) = pair * factors.real.block<2, 1>(2 * i, o);
      carried.col(2 * i + 1) = pair * factors.imaginary.block<2, 1>(2 * i, o);
    }
    const MatrixXd spread = carried * covariance;
    variances.row(o) =
        (linear.head(2 * model.modes) + spread.cwiseProduct(carried).rowwise().sum()).transpose();
  }
  return variances;
}

namespace {

// What the rows of the residual lost to the fit: the diagonal of the projection onto X, and for all
// outputs together tr J_k (JᵀJ)⁻¹ J_kᵀ = s_kᵀ W s_k with J_k linear in the row s_k of S.
VectorXd leverage_of_rows(const Projected& at, const StepFactors& factors, const MatrixXd& X,
                          const MatrixXd& S, const MatrixXd& inverse) {
  const MatrixXd Q =
      at.factor.transpose().triangularView<Eigen::Lower>().solve(X.transpose()).transpose();
  const MatrixXd products[2][2] = {{product(factors.real, factors.real.transpose()),
                                    product(factors.real, factors.imaginary.transpose())},
                                   {product(factors.imaginary, factors.real.transpose()),
                                    product(factors.imaginary, factors.imaginary.transpose())}};
  MatrixXd W = MatrixXd::Zero(S.cols(), S.cols());
  for (Index c = 0; c < S.cols(); ++c) {
    for (Index d = 0; d < S.cols(); ++d) {
      const Index i = 2 * (c / 2);
      const Index k = 2 * (d / 2);
      for (Index a = 0; a < 2; ++a) {
        for (Index b = 0; b < 2; ++b) {
          W(c, d) += inverse(i + a, k + b) * products[a][b](c, d);
        }
      }
    }
  }
  return Q.rowwise().squaredNorm() + product(S, W).cwiseProduct(S).rowwise().sum();
}

// 1.96 of normal errors against Student's t with as many degrees of freedom as the squares of the
// scores have: ν = 3 (Σ m²)²/Σ m⁴ - 2, since the fourth moment of a normal number is three times
// the square of the second.
double student_factor(const VectorXd& moved) {
  const double second = moved.squaredNorm();
  const double fourth = moved.array().square().square().sum();
  const double freedom = std::max(kFewestScores, 3.0 * second * second / fourth - 2.0);
  if (!std::isfinite(freedom)) return 1.0;
  return optimize::student_quantile(0.975, freedom) / normal_quantile(0.975);
}

}  // namespace

namespace {

// g_k of each row times (JᵀJ)⁻¹.
MatrixXd moved_scores(const StepFactors& factors, const MatrixXd& S, const MatrixXd& E,
                      const MatrixXd& inverse) {
  // e_k times the factor of each column of S, so that g_k sums pairs of columns.
  const MatrixXd real = S.cwiseProduct(product(E, factors.real.transpose()));
  const MatrixXd imaginary = S.cwiseProduct(product(E, factors.imaginary.transpose()));
  MatrixXd scores(S.rows(), S.cols());
  for (Index i = 0; 2 * i < S.cols(); ++i) {
    scores.col(2 * i) = real.col(2 * i) + real.col(2 * i + 1);
    scores.col(2 * i + 1) = imaginary.col(2 * i) + imaginary.col(2 * i + 1);
  }
  return product(scores, inverse);
}

struct RowsOfFit {
  MatrixXd S, E;  // derivatives less their parts in X, residual
};

RowsOfFit rows_of_fit(const PairedModel& model, const Projected& at, const MatrixXd& joint) {
  const Index nx = model.regressors;
  return {joint.middleCols(nx, at.gradient.size()) - product(joint.leftCols(nx), at.carried),
          joint.rightCols(model.outputs) - product(joint.leftCols(nx), at.coefficients)};
}

}  // namespace

MatrixXd score_covariance(const PairedModel& model, const Projected& at, const MatrixXd& joint) {
  const RowsOfFit rows = rows_of_fit(model, at, joint);
  const MatrixXd moved =
      moved_scores(step_factors(model, at.coefficients), rows.S, rows.E, inverse_normal(at));
  return product(moved.transpose(), moved);
}

MatrixXd few_line_score_covariance(const PairedModel& model, const Projected& at,
                                   const MatrixXd& joint) {
  const StepFactors factors = step_factors(model, at.coefficients);
  RowsOfFit rows = rows_of_fit(model, at, joint);
  const MatrixXd inverse = inverse_normal(at);
  // Residuals as they would be of rows that took no part in the fit.
  const VectorXd kept =
      (1.0 -
       leverage_of_rows(at, factors, joint.leftCols(model.regressors), rows.S, inverse).array())
          .max(kLeastKept);
  rows.E = kept.cwiseInverse().asDiagonal() * rows.E;
  const MatrixXd moved = moved_scores(factors, rows.S, rows.E, inverse);
  VectorXd factor(moved.cols());
  for (Index i = 0; i < factor.size(); ++i) factor(i) = student_factor(moved.col(i));
  return factor.asDiagonal() * product(moved.transpose(), moved) * factor.asDiagonal();
}

}  // namespace alembert::identify::modes
