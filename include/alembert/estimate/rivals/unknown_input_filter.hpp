#pragma once

#include <Eigen/Core>

#include "alembert/core/status.hpp"

namespace alembert::estimate {

/// What an update of an UnknownInputFilter did.
struct [[nodiscard]] UnknownInputReport {
  /// NotIdentifiable: the outputs do not tell all inputs; nothing was changed.
  Status status = Status::Success;
  double nis = 0.0;  ///< νᵀ R̃⁻¹ ν of ν = y − C x⁻ − D d: χ² with outputs − inputs freedoms
};

/// State x and input d of a linear model whose outputs feel the input at once, y = C x + D d + v,
/// where nothing is known of the input [GillijnsDeMoor2007]:
///
///   R̃ = C P⁻ Cᵀ + R,   P_d = (Dᵀ R̃⁻¹ D)⁻¹,   d = P_d Dᵀ R̃⁻¹ (y − C x⁻)
///   x = x⁻ + K (y − C x⁻ − D d),   K = P⁻ Cᵀ R̃⁻¹
///   P = P⁻ − K (R̃ − D P_d Dᵀ) Kᵀ,   P_xd = −K D P_d
///   x⁻⁺ = f(x, d),   P⁻⁺ = [A G] [P P_xd; P_dx P_d] [A G]ᵀ + Q
///
/// Both estimates are unbiased whatever the input does, and of least variance among those that are.
/// A filter with a right model of the input knows more and does better.
class UnknownInputFilter {
 public:
  /// @param x, P state before the first measurement and its covariance. @param inputs >= 1.
  /// @throws InvalidInput for wrong sizes.
  UnknownInputFilter(const Eigen::Ref<const Eigen::VectorXd>& x,
                     const Eigen::Ref<const Eigen::MatrixXd>& P, int inputs);

  /// @param nu y − C x⁻, or of a model that is not linear y − h(x⁻, 0). @param D feedthrough,
  /// outputs x inputs. The caller keeps the sizes.
  UnknownInputReport update(const Eigen::Ref<const Eigen::VectorXd>& nu,
                            const Eigen::Ref<const Eigen::MatrixXd>& C,
                            const Eigen::Ref<const Eigen::MatrixXd>& D,
                            const Eigen::Ref<const Eigen::MatrixXd>& R);
  /// @param next f(x, d). @param A, G its derivatives by x and d. @param Q of the step.
  void predict(const Eigen::Ref<const Eigen::VectorXd>& next,
               const Eigen::Ref<const Eigen::MatrixXd>& A,
               const Eigen::Ref<const Eigen::MatrixXd>& G,
               const Eigen::Ref<const Eigen::MatrixXd>& Q);

  [[nodiscard]] const Eigen::VectorXd& state() const noexcept { return x_; }
  [[nodiscard]] const Eigen::MatrixXd& covariance() const noexcept { return P_; }
  [[nodiscard]] const Eigen::VectorXd& input() const noexcept { return d_; }
  [[nodiscard]] const Eigen::MatrixXd& input_covariance() const noexcept { return P_d_; }

 private:
  Eigen::VectorXd x_, d_;
  Eigen::MatrixXd P_, P_d_, P_xd_;
};

}  // namespace alembert::estimate
