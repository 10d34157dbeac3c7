#include "model/second_order/modal_form.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::model {

namespace {

// An eigenvalue of the mass-scaled stiffness is certain to about n eps of the largest one; the
// factor 4 covers the two scalings before it.
constexpr double kZeroFactor = 4.0;

void flush_rounding(Eigen::VectorXd& kappa) {
  const double margin = kZeroFactor * static_cast<double>(kappa.size()) *
                        std::numeric_limits<double>::epsilon() * kappa.cwiseAbs().maxCoeff();
  for (double& value : kappa) {
    if (std::abs(value) <= margin) {
      value = 0.0;
    }
  }
}

void fix_signs(Eigen::MatrixXd& shapes) {
  for (Eigen::Index mode = 0; mode < shapes.cols(); ++mode) {
    if (shapes(leading_entry(shapes.col(mode).cwiseAbs()), mode) < 0.0) {
      shapes.col(mode) *= -1.0;
    }
  }
}

}  // namespace

Eigen::Index leading_entry(const Eigen::Ref<const Eigen::VectorXd>& magnitude) {
  const double threshold = (1.0 - 1e-8) * magnitude.maxCoeff();
  Eigen::Index index = 0;
  while (index + 1 < magnitude.size() && magnitude(index) < threshold) {
    ++index;
  }
  return index;
}

ModalForm modal_form(std::string_view function, const SecondOrder& system) {
  const InvalidInput error({.function = std::string(function),
                            .argument = "M",
                            .rule = "must be positive definite",
                            .value = "a matrix without Cholesky factor"});
  if (!(system.M.diagonal().array() > 0.0).all()) {
    throw error;
  }
  // S = diag(m_ii)^-1/2 takes the units of the coordinates out of the problem.
  const Eigen::VectorXd scale = system.M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd mass = dense::scaled(system.M, scale);
  const Eigen::LLT<Eigen::MatrixXd> cholesky(mass);
  if (cholesky.info() != Eigen::Success) {
    throw error;
  }
  // S M S = R Rᵀ,  R⁻¹ S K S R⁻ᵀ = V diag(κ) Vᵀ,  Φ = S R⁻ᵀ V
  Eigen::MatrixXd stiffness = dense::scaled(system.K, scale);
  cholesky.matrixL().solveInPlace(stiffness);
  stiffness.transposeInPlace();
  cholesky.matrixL().solveInPlace(stiffness);
  const dense::SymmetricEigen eigen = dense::symmetric_eigen(symmetrised(stiffness));
  ModalForm form;
  form.stiffness = eigen.values;
  flush_rounding(form.stiffness);
  form.shapes = eigen.vectors;
  cholesky.matrixU().solveInPlace(form.shapes);
  form.shapes = scale.asDiagonal() * form.shapes;
  fix_signs(form.shapes);
  form.damping =
      symmetrised(dense::transposed_times(form.shapes, dense::times(system.D, form.shapes)));
  return form;
}

BalancedForm balanced_form(const ModalForm& modal) {
  const Eigen::Index n = modal.stiffness.size();
  const Eigen::Index e = (modal.stiffness.array() != 0.0).count();
  BalancedForm form;
  form.A = Eigen::MatrixXd::Zero(e + n, e + n);
  form.omega.resize(e);
  form.elastic.resize(e);
  form.A.bottomRightCorner(n, n) = -modal.damping;
  Eigen::Index row = 0;
  for (Eigen::Index mode = 0; mode < n; ++mode) {
    const double kappa = modal.stiffness(mode);
    if (kappa == 0.0) {
      continue;
    }
    form.omega(row) = std::sqrt(std::abs(kappa));
    form.elastic(row) = static_cast<int>(mode);
    form.A(row, e + mode) = form.omega(row);
    form.A(e + mode, row) = std::copysign(form.omega(row), -kappa);
    ++row;
  }
  return form;
}

}  // namespace alembert::model
