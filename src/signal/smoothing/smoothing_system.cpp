#include "signal/smoothing/smoothing_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::signal {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr Index kWidth = kMaxPenalty + 1;

// Gauss-Legendre rule with 3 points on [-1, 1], exact up to degree 5: the products of two
// B-splines of order 3 have degree 4.
const std::array<double, 3> kGaussPoints{-std::sqrt(0.6), 0.0, std::sqrt(0.6)};
constexpr std::array<double, 3> kGaussWeights{5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};

double knot(const VectorXd& x, Index i) { return x[std::clamp<Index>(i, 0, x.size() - 1)]; }

// Values at s, in [x(i), x(i+1)], of the B-splines of order m with first knots x(i-m+1) .. x(i).
// Those that begin before x(0) or end behind the last knot are not part of the spline; their
// entries mean nothing.
BandRow b_splines(const VectorXd& x, Index i, int m, double s) {
  BandRow b{};
  b[0] = 1.0;
  for (Index k = 1; k < m; ++k) {
    double carried = 0.0;
    for (Index r = 0; r < k; ++r) {
      const double right = knot(x, i + r + 1);
      const double left = knot(x, i + r + 1 - k);
      const double part = b[static_cast<std::size_t>(r)] / (right - left);
      b[static_cast<std::size_t>(r)] = carried + (right - s) * part;
      carried = (s - left) * part;
    }
    b[static_cast<std::size_t>(k)] = carried;
  }
  return b;
}

}  // namespace

void BandTriangle::insert(Index first, BandRow entries, double right) {
  for (Index c = first; c < rows_.rows(); ++c) {
    double* const row = rows_.data() + c * kWidth;
    if (entries[0] != 0.0) {
      // Rotation that makes entries[0] zero.
      const double length = std::sqrt(row[0] * row[0] + entries[0] * entries[0]);
      const double cosine = row[0] / length;
      const double sine = entries[0] / length;
      for (std::size_t j = 0; j < entries.size(); ++j) {
        const double above = row[j];
        row[j] = cosine * above + sine * entries[j];
        entries[j] = cosine * entries[j] - sine * above;
      }
      const double above = right_[c];
      right_[c] = cosine * above + sine * right;
      right = cosine * right - sine * above;
    }
    entries = {entries[1], entries[2], entries[3], 0.0};
    if (entries[0] == 0.0 && entries[1] == 0.0 && entries[2] == 0.0) {
      return;
    }
  }
}

VectorXd BandTriangle::back_substituted(VectorXd x) const {
  for (Index i = x.size() - 1; i >= 0; --i) {
    const double* const row = rows_.data() + i * kWidth;
    for (Index j = 1; j < std::min(kWidth, x.size() - i); ++j) {
      x[i] -= row[j] * x[i + j];
    }
    x[i] /= row[0];
  }
  return x;
}

VectorXd BandTriangle::solve() const { return back_substituted(right_); }

VectorXd BandTriangle::solve_normal(const VectorXd& b) const {
  VectorXd x = b;
  for (Index i = 0; i < x.size(); ++i) {
    const double* const row = rows_.data() + i * kWidth;
    x[i] /= row[0];
    for (Index j = 1; j < std::min(kWidth, x.size() - i); ++j) {
      x[i + j] -= row[j] * x[i];
    }
  }
  return back_substituted(std::move(x));
}

BandMatrix BandTriangle::inverse_band() const {
  // With Z = (Uᵀ U)⁻¹ and unit rows u = U/d: Z(i,j) = δ(i,j)/d² - Σ_k u(i,k) Z(k,j), from below.
  // z11 .. z33 hold Z(i+1 .. i+3, i+1 .. i+3); behind the last row u is zero.
  const Index n = rows_.rows();
  BandMatrix z(n, kWidth);
  double z11 = 0.0, z12 = 0.0, z13 = 0.0, z22 = 0.0, z23 = 0.0, z33 = 0.0;
  for (Index i = n - 1; i >= 0; --i) {
    const double* const row = rows_.data() + i * kWidth;
    const double inverse = 1.0 / row[0];
    const double u1 = inverse * row[1];
    const double u2 = inverse * row[2];
    const double u3 = inverse * row[3];
    const double z01 = -(u1 * z11 + u2 * z12 + u3 * z13);
    const double z02 = -(u1 * z12 + u2 * z22 + u3 * z23);
    const double z03 = -(u1 * z13 + u2 * z23 + u3 * z33);
    const double z00 = inverse * inverse - (u1 * z01 + u2 * z02 + u3 * z03);
    z.row(i) << z00, z01, z02, z03;
    z33 = z22;
    z23 = z12;
    z22 = z11;
    z13 = z02;
    z12 = z01;
    z11 = z00;
  }
  return z;
}

SmoothingSystem::SmoothingSystem(VectorXd x, VectorXd w, int m)
    : x_(std::move(x)), w_(std::move(w)), m_(m), size_(x_.size() - m), root_(size_) {
  build_differences();
  build_gram();
}

void SmoothingSystem::build_differences() {
  // Column j of Q: (m-1)! (x(j+m) - x(j)) [x(j) .. x(j+m)], a divided difference, so that
  // Qᵀ f = ∫ f⁽ᵐ⁾ B_j dx with the B-splines of sum 1.
  const double factorial = m_ == 3 ? 2.0 : 1.0;
  differences_ = BandMatrix::Zero(size_, kWidth);
  for (Index j = 0; j < size_; ++j) {
    for (Index r = 0; r <= m_; ++r) {
      double product = 1.0;
      for (Index s = 0; s <= m_; ++s) {
        product *= s == r ? 1.0 : x_[j + r] - x_[j + s];
      }
      differences_(j, r) = factorial * (x_[j + m_] - x_[j]) / product;
    }
  }
}

void SmoothingSystem::build_gram() {
  gram_ = BandMatrix::Zero(size_, kWidth);
  for (Index i = 0; i + 1 < x_.size(); ++i) {
    const Index first = i - m_ + 1;
    const double half = 0.5 * (x_[i + 1] - x_[i]);
    for (std::size_t g = 0; g < kGaussPoints.size(); ++g) {
      const BandRow b = b_splines(x_, i, m_, x_[i] + half * (1.0 + kGaussPoints[g]));
      const Index begin = std::max<Index>(first, 0);
      const Index end = std::min<Index>(i, size_ - 1);
      BandRow equation{};
      for (Index j = begin; j <= end; ++j) {
        const double value = b[static_cast<std::size_t>(j - first)];
        equation[static_cast<std::size_t>(j - begin)] = std::sqrt(half * kGaussWeights[g]) * value;
        for (Index k = j; k <= end; ++k) {
          gram_(j, k - j) +=
              half * kGaussWeights[g] * value * b[static_cast<std::size_t>(k - first)];
        }
      }
      if (begin <= end) {
        root_.insert(begin, equation, 0.0);
      }
    }
  }
}

VectorXd SmoothingSystem::differences_of(const VectorXd& y) const {
  VectorXd result = VectorXd::Zero(size_);
  for (Index j = 0; j < size_; ++j) {
    for (Index r = 0; r <= m_; ++r) {
      result[j] += differences_(j, r) * y[j + r];
    }
  }
  return result;
}

BandTriangle SmoothingSystem::factorised(double lambda, const VectorXd& y) const {
  BandTriangle triangle(size_);
  const double root = std::sqrt(lambda);
  for (Index i = 0; i < x_.size(); ++i) {
    // Row i of √λ W^(-1/2) Q reaches the columns i-m .. i.
    const Index first = std::max<Index>(i - m_, 0);
    const double scale = root / std::sqrt(w_[i]);
    BandRow entries{};
    for (Index j = first; j <= std::min<Index>(i, size_ - 1); ++j) {
      entries[static_cast<std::size_t>(j - first)] = scale * differences_(j, i - j);
    }
    triangle.insert(first, entries, y[i] / scale);
    // R^(1/2) row by row, behind the last row of Q that begins at the same column.
    if (i >= m_) {
      BandRow gram_root{};
      for (Index j = 0; j < kWidth; ++j) {
        gram_root[static_cast<std::size_t>(j)] = root_.rows()(i - m_, j);
      }
      triangle.insert(i - m_, gram_root, 0.0);
    }
  }
  return triangle;
}

SmoothingSystem::Fit SmoothingSystem::solve(double lambda, const VectorXd& y) const {
  Fit fit;
  fit.residual = VectorXd::Zero(y.size());
  if (lambda == 0.0) {
    fit.gamma = root_.solve_normal(differences_of(y));
    fit.degrees_of_freedom = static_cast<double>(y.size());
    return fit;
  }
  const BandTriangle triangle = factorised(lambda, y);
  fit.gamma = triangle.solve();
  for (Index j = 0; j < size_; ++j) {
    for (Index r = 0; r <= m_; ++r) {
      fit.residual[j + r] += differences_(j, r) * fit.gamma[j];
    }
  }
  // y - f = λ W⁻¹ Q γ
  fit.residual = lambda * fit.residual.cwiseQuotient(w_);
  fit.sum_of_squares = w_.dot(fit.residual.cwiseAbs2());
  // tr H = m + tr(R (R + λ Qᵀ W⁻¹ Q)⁻¹): a sum of positive terms only.
  const BandMatrix inverse = triangle.inverse_band();
  fit.degrees_of_freedom =
      m_ + inverse.col(0).dot(gram_.col(0)) +
      2.0 * inverse.rightCols(kWidth - 1).cwiseProduct(gram_.rightCols(kWidth - 1)).sum();
  return fit;
}

}  // namespace alembert::signal
