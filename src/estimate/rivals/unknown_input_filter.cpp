#include "alembert/estimate/rivals/unknown_input_filter.hpp"

#include <limits>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kUnknownInput = "UnknownInputFilter";
// Least over largest singular value of the whitened feedthrough, below which rounding decides.
constexpr double kLeastShare = 1e-10;

}  // namespace

UnknownInputFilter::UnknownInputFilter(const Eigen::Ref<const VectorXd>& x,
                                       const Eigen::Ref<const MatrixXd>& P, int inputs)
    : x_(x), P_(P) {
  check::at_least(kUnknownInput, "states", x.size(), 1);
  check::shape(kUnknownInput, "P", P, x.size(), x.size());
  check::at_least(kUnknownInput, "inputs", inputs, 1);
  d_ = VectorXd::Zero(inputs);
  P_d_ = MatrixXd::Constant(inputs, inputs, std::numeric_limits<double>::infinity());
  P_xd_ = MatrixXd::Zero(x.size(), inputs);
}

UnknownInputReport UnknownInputFilter::update(const Eigen::Ref<const VectorXd>& nu,
                                              const Eigen::Ref<const MatrixXd>& C,
                                              const Eigen::Ref<const MatrixXd>& D,
                                              const Eigen::Ref<const MatrixXd>& R) {
  // R̃ = L Lᵀ
  const MatrixXd spread = C * P_ * C.transpose() + R;
  const Eigen::LLT<MatrixXd> factor(spread);
  if (factor.info() != Eigen::Success || nu.size() < D.cols()) {
    return {.status = Status::NotIdentifiable};
  }
  const MatrixXd white = factor.matrixL().solve(D);
  const VectorXd scale = white.colwise().norm();
  if (!(scale.array() > 0.0).all()) return {.status = Status::NotIdentifiable};
  // Each input counts in its own unit, so that a newton and a kilonewton are alike.
  const MatrixXd alike = white * scale.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(alike, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd& singular = svd.singularValues();
  if (singular.minCoeff() < kLeastShare * singular.maxCoeff()) {
    return {.status = Status::NotIdentifiable};
  }
  // d = (L⁻¹ D)⁺ L⁻¹ ν, P_d = (L⁻¹ D)⁺ (L⁻¹ D)⁺ᵀ
  const MatrixXd inverse =
      scale.cwiseInverse().asDiagonal() *
      (svd.matrixV() * singular.cwiseInverse().asDiagonal() * svd.matrixU().transpose());
  const VectorXd white_nu = factor.matrixL().solve(nu);
  d_ = inverse * white_nu;
  P_d_ = inverse * inverse.transpose();
  const MatrixXd gain = factor.solve(C * P_).transpose();
  const VectorXd rest = white_nu - white * d_;
  x_ += gain * (nu - D * d_);
  P_xd_ = -gain * D * P_d_;
  const MatrixXd kept = P_ - gain * (spread - D * P_d_ * D.transpose()) * gain.transpose();
  P_ = 0.5 * (kept + kept.transpose());
  return {.nis = rest.squaredNorm()};
}

void UnknownInputFilter::predict(const Eigen::Ref<const VectorXd>& next,
                                 const Eigen::Ref<const MatrixXd>& A,
                                 const Eigen::Ref<const MatrixXd>& G,
                                 const Eigen::Ref<const MatrixXd>& Q) {
  x_ = next;
  const MatrixXd mixed = A * P_xd_ * G.transpose();
  const MatrixXd moved =
      A * P_ * A.transpose() + mixed + mixed.transpose() + G * P_d_ * G.transpose() + Q;
  P_ = 0.5 * (moved + moved.transpose());
}

}  // namespace alembert::estimate
