#pragma once

#include <Eigen/Core>

namespace alembert::optimize {

/// S, an estimate of Σ r ∂²r/∂x², what the Hessian of Σ r²/2 has beside JᵀJ. Gauss-Newton steps
/// zigzag where it is large: where residuals are large, or the model is nearly not smooth (dry
/// friction).
///
/// After a step s that changes the gradient by y, JᵀJ + S shall map s to y. With the gap
/// e = y - JᵀJ s - S s,
///
///   S ← S + (e yᵀ + y eᵀ)/yᵀs - (sᵀe) y yᵀ/(yᵀs)²,
///
/// S first shrunk so that sᵀS s is no more than what the step asks for: a structured secant method,
/// as in NL2SOL of Dennis, Gay and Welsch.
class SecondOrderPart {
 public:
  /// @param JtJ at the end of the step; only the lower triangle is read.
  void update(const Eigen::VectorXd& step, const Eigen::VectorXd& change,
              const Eigen::MatrixXd& JtJ);
  /// S for variables whose unit is `unit` of the steps: S_ij/(unit_i unit_j).
  [[nodiscard]] Eigen::MatrixXd scaled(const Eigen::VectorXd& unit) const;

 private:
  Eigen::MatrixXd S_;  // empty: zero
};

}  // namespace alembert::optimize
