#include "alembert/identify/static_curve.hpp"

#include <cmath>
#include <set>

#include "alembert/core/check.hpp"
#include "alembert/optimize/student.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns are scaled to the largest displacement, so that x³ of millimetres keeps its digits.
StaticFit fitted_curve(const VectorXd& x, const VectorXd& force, Index terms) {
  const Index n = x.size();
  const double size = x.cwiseAbs().maxCoeff();
  MatrixXd basis(n, terms);
  for (Index k = 0; k < n; ++k) {
    const double s = x(k) / size;
    const double row[3] = {1.0, s, s * s * s};
    for (Index i = 0; i < terms; ++i) basis(k, i) = row[i];
  }
  StaticFit fit;
  fit.coefficients = dense::least_squares(basis, force);
  const double sum = (force - basis * fit.coefficients).squaredNorm();
  const auto samples = static_cast<double>(n);
  const auto p = static_cast<double>(terms);
  fit.residual = std::sqrt(sum / (samples - p));
  fit.covariance =
      dense::inverse(dense::transposed_times(basis, basis)) * (fit.residual * fit.residual);
  VectorXd scale(terms);
  for (Index i = 0; i < terms; ++i) scale(i) = 1.0 / (i == 0 ? 1.0 : std::pow(size, 2 * i - 1));
  fit.coefficients.array() *= scale.array();
  fit.covariance = dense::scaled(fit.covariance, scale);
  fit.deviations = fit.covariance.diagonal().cwiseSqrt();
  // The variance counts as a parameter.
  fit.aicc = samples * std::log(sum / samples) + 2.0 * (p + 1.0) * samples / (samples - p - 2.0);
  return fit;
}

}  // namespace

StaticCurve fit_static_curve(const Eigen::Ref<const VectorXd>& displacement,
                             const Eigen::Ref<const VectorXd>& force) {
  check::size("fit_static_curve", "size of force", force.size(), displacement.size());
  check::all_finite("fit_static_curve", "displacement", displacement);
  check::all_finite("fit_static_curve", "force", force);
  const std::set<double> different(displacement.begin(), displacement.end());
  check::at_least("fit_static_curve", "number of different displacements",
                  static_cast<long long>(different.size()), 5);
  check::at_least("fit_static_curve", "number of points", displacement.size(), 6);
  StaticCurve curve;
  curve.points = displacement.size();
  curve.line = fitted_curve(displacement, force, 2);
  curve.cubic = fitted_curve(displacement, force, 3);
  const auto n = static_cast<double>(curve.points);
  const double line = curve.line.residual * curve.line.residual * (n - 2.0);
  const double cubic = curve.cubic.residual * curve.cubic.residual * (n - 3.0);
  curve.f_value = (line - cubic) / (curve.cubic.residual * curve.cubic.residual);
  if (!(curve.f_value > 0.0)) curve.f_value = 0.0;  // exact data, or rounding
  // F with 1 and ν degrees of freedom is the square of Student's t with ν.
  curve.p_value = 2.0 * optimize::student_probability(-std::sqrt(curve.f_value), n - 3.0);
  curve.cubic_better = curve.p_value < 0.01 && curve.cubic.aicc < curve.line.aicc;
  return curve;
}

}  // namespace alembert::identify
