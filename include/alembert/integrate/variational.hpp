#pragma once

#include <Eigen/Core>
#include <complex>

#include "alembert/integrate/midpoint.hpp"
#include "alembert/model/second_order.hpp"

/// The midpoint variational integrator of a linear mechanical system; docs/theory/variational.md.
namespace alembert::integrate {

/// The discrete equation of motion [Bruschetta2014, eqs. (2.7)-(2.9)]:
///
///   Md q(k) + Dd q(k-1) + Kd q(k-2) = (h/4) L (u(k) + 2 u(k-1) + u(k-2))
///
/// Each entry is held as the sum of two doubles. K = (Md + Dd + Kd)/h is a small difference of
/// terms M/h: with single doubles it would keep only the digits above eps/(ω h)², which is 4 of 16
/// lost at ω h = 0.01. Matrices that come from an estimate leave the low parts empty.
struct VariationalMatrices {
  Eigen::MatrixXd Md, Dd, Kd;              ///< n x n, in kg/s
  Eigen::MatrixXd Md_low, Dd_low, Kd_low;  ///< rounding errors of the above, or empty for none
  double step = 0.0;                       ///< h in s
};

/// The variational midpoint discretisation [Bruschetta2014, eqs. (2.8)]:
///
///   Md = M/h + h K/4 + D/2,   Dd = h K/2 - 2 M/h,   Kd = M/h + h K/4 - D/2
///
/// L does not enter. @throws InvalidInput as model::check_matrices(), or unless step > 0.
[[nodiscard]] VariationalMatrices variational_matrices(const model::SecondOrder& system,
                                                       double step);

/// The way back, linear and keeping symmetry [Bruschetta2014, eqs. (2.10)]:
///
///   M = (h/4)(Md + Kd - Dd),   D = Md - Kd,   K = (Md + Kd + Dd)/h
///
/// @param L n x m force distribution, copied into the result.
/// @throws InvalidInput if sizes disagree, an entry is not finite, or step is not positive.
[[nodiscard]] model::SecondOrder continuous_system(const VariationalMatrices& matrices,
                                                   const Eigen::Ref<const Eigen::MatrixXd>& L);

/// Discrete forces fd(k) = (h/4) L (u(k) + 2 u(k-1) + u(k-2)) for k = 2..N-1, as rows:
/// (N - 2) x n. @throws InvalidInput if u has fewer than 3 rows or not as many columns as L.
[[nodiscard]] Eigen::MatrixXd discrete_forces(const Eigen::Ref<const Eigen::MatrixXd>& L,
                                              const Eigen::Ref<const Eigen::MatrixXd>& u,
                                              double step);

/// Transfer function from u to q of the discrete equation at a complex z, n x m:
///
///   H(z) = (Md z² + Dd z + Kd)⁻¹ (h/4)(z + 1)² L
///
/// Evaluated by Taylor's formula about z = 1, which has no cancellation at low frequencies.
/// @throws InvalidInput as continuous_system(), or if z is not finite.
[[nodiscard]] Eigen::MatrixXcd discrete_transfer(const VariationalMatrices& matrices,
                                                 const Eigen::Ref<const Eigen::MatrixXd>& L,
                                                 std::complex<double> z);

/// Transfer function from u to q of the continuous system at a complex s, n x m:
/// H(s) = (M s² + D s + K)⁻¹ L. @throws InvalidInput as model::check_matrices().
[[nodiscard]] Eigen::MatrixXcd transfer(const model::SecondOrder& system, std::complex<double> s);

/// Tustin's substitution s = (2/h)(z - 1)/(z + 1); infinite at z = -1.
[[nodiscard]] std::complex<double> tustin(std::complex<double> z, double step);

}  // namespace alembert::integrate
