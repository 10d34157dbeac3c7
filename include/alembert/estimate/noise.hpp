#pragma once

#include <Eigen/Core>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/estimate/detail/kernels.hpp"

namespace alembert::estimate {

/// Checks that a covariance is square, finite, symmetric and positive semidefinite.
/// @throws InvalidInput `function: argument rule, got value`.
void check_covariance(std::string_view function, std::string_view argument,
                      const Eigen::Ref<const Eigen::MatrixXd>& covariance);

/// Checks a mean and covariance of n states as check_covariance() does.
/// @throws InvalidInput that names the culprit.
void check_estimate(int n, const Eigen::Ref<const Eigen::VectorXd>& mean,
                    const Eigen::Ref<const Eigen::MatrixXd>& covariance);

/// A Gaussian noise of zero mean: its covariance and the lower factor of it, Q = L Lᵀ, kept
/// together so that the plain and the square-root filters take the same argument.
template <typename T, int N>
class Noise {
 public:
  using Matrix = Eigen::Matrix<T, N, N>;
  using Vector = Eigen::Matrix<T, N, 1>;

  /// From the covariance; it may be singular.
  /// @throws InvalidInput unless finite, symmetric and positive semidefinite.
  static Noise from_covariance(const Matrix& covariance) {
    check_covariance("Noise", "covariance", covariance.template cast<double>());
    Noise noise;
    noise.covariance_ = covariance;
    noise.factor_ = covariance;
    kernels::cholesky(noise.factor_, kernels::extent<N>(covariance.rows()),
                      kernels::Pivots::NonNegative);
    return noise;
  }

  /// From the standard deviations of independent entries.
  /// @throws InvalidInput unless finite.
  static Noise from_deviations(const Vector& deviations) {
    const Matrix factor = deviations.asDiagonal();
    return from_covariance(factor * factor);
  }

  [[nodiscard]] int size() const { return static_cast<int>(covariance_.rows()); }
  [[nodiscard]] const Matrix& covariance() const { return covariance_; }
  /// Lower triangular L, zero above the diagonal.
  [[nodiscard]] const Matrix& factor() const { return factor_; }

  /// Replaces entry (i, i) of a diagonal covariance; other entries of its row and column become
  /// zero. Allocates nothing. @param variance >= 0.
  void set_variance(int i, T variance) noexcept {
    for (int j = 0; j < size(); ++j) {
      covariance_(i, j) = covariance_(j, i) = T(0);
      factor_(i, j) = factor_(j, i) = T(0);
    }
    covariance_(i, i) = variance;
    factor_(i, i) = std::sqrt(variance);
  }

  /// Becomes D U D with the factor D L, where U = L Lᵀ is the covariance of `unit` and D = diag(d).
  /// Allocates nothing. @param unit of the same size. @param d >= 0.
  void set_scaled(const Noise& unit, const Vector& d) noexcept {
    for (int j = 0; j < size(); ++j) {
      for (int i = 0; i < size(); ++i) {
        covariance_(i, j) = d(i) * unit.covariance_(i, j) * d(j);
        factor_(i, j) = d(i) * unit.factor_(i, j);
      }
    }
  }

  /// Replaces the covariance by another of the same size. Allocates nothing. False: it is not
  /// positive semidefinite and the noise must not be used.
  [[nodiscard]] bool assign(const Matrix& covariance) noexcept {
    covariance_ = covariance;
    factor_ = covariance;
    return kernels::cholesky(factor_, kernels::extent<N>(covariance.rows()),
                             kernels::Pivots::NonNegative);
  }

  /// Multiplies the covariance. Allocates nothing. @param factor >= 0.
  void scale(T factor) noexcept {
    covariance_ *= factor;
    factor_ *= std::sqrt(factor);
  }

 private:
  Noise() = default;

  Matrix covariance_;
  Matrix factor_;
};

}  // namespace alembert::estimate
