#include "alembert/integrate/variational.hpp"

#include <cmath>
#include <limits>
#include <string_view>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "integrate/linear/double_double.hpp"

namespace alembert::integrate {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

DoubleDouble entry(const Eigen::MatrixXd& high, const Eigen::MatrixXd& low, Index i, Index j) {
  return {high(i, j), low.size() == 0 ? 0.0 : low(i, j)};
}

void check_part(std::string_view function, std::string_view name, const Eigen::MatrixXd& matrix,
                Index n) {
  check::shape(function, name, matrix, n, n);
  check::all_finite(function, name, matrix);
}

void check_low(std::string_view function, std::string_view name, const Eigen::MatrixXd& matrix,
               Index n) {
  if (matrix.size() != 0) {
    check_part(function, name, matrix, n);
  }
}

void check_discrete(std::string_view function, const VariationalMatrices& matrices,
                    const Eigen::Ref<const Eigen::MatrixXd>& L) {
  const Index n = matrices.Md.rows();
  check::at_least(function, "number of coordinates (rows of Md)", n, 1);
  check_part(function, "Md", matrices.Md, n);
  check_part(function, "Dd", matrices.Dd, n);
  check_part(function, "Kd", matrices.Kd, n);
  check_low(function, "Md_low", matrices.Md_low, n);
  check_low(function, "Dd_low", matrices.Dd_low, n);
  check_low(function, "Kd_low", matrices.Kd_low, n);
  check::shape(function, "L", L, n, L.cols());
  check::all_finite(function, "L", L);
  check::positive(function, "step", matrices.step);
}

}  // namespace

VariationalMatrices variational_matrices(const model::SecondOrder& system, double step) {
  check::positive("variational_matrices", "step", step);
  model::check_matrices("variational_matrices", system);
  const Index n = system.degrees_of_freedom();
  VariationalMatrices result;
  result.step = step;
  for (Eigen::MatrixXd* matrix :
       {&result.Md, &result.Dd, &result.Kd, &result.Md_low, &result.Dd_low, &result.Kd_low}) {
    matrix->resize(n, n);
  }
  const auto store = [](DoubleDouble value, Eigen::MatrixXd& high, Eigen::MatrixXd& low, Index i,
                        Index j) {
    high(i, j) = value.high;
    low(i, j) = value.low;
  };
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const DoubleDouble inertia = two_quotient(system.M(i, j), step);
      const DoubleDouble spring = scaled(two_product(step, system.K(i, j)), 0.25);
      const DoubleDouble damper{0.5 * system.D(i, j), 0.0};
      // Md = M/h + h K/4 + D/2
      store(inertia + spring + damper, result.Md, result.Md_low, i, j);
      // Dd = h K/2 - 2 M/h
      store(scaled(spring - inertia, 2.0), result.Dd, result.Dd_low, i, j);
      // Kd = M/h + h K/4 - D/2
      store(inertia + spring - damper, result.Kd, result.Kd_low, i, j);
    }
  }
  return result;
}

model::SecondOrder continuous_system(const VariationalMatrices& matrices,
                                     const Eigen::Ref<const Eigen::MatrixXd>& L) {
  check_discrete("continuous_system", matrices, L);
  const Index n = matrices.Md.rows();
  const double h = matrices.step;
  model::SecondOrder system;
  system.M.resize(n, n);
  system.D.resize(n, n);
  system.K.resize(n, n);
  system.L = L;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const DoubleDouble Md = entry(matrices.Md, matrices.Md_low, i, j);
      const DoubleDouble Dd = entry(matrices.Dd, matrices.Dd_low, i, j);
      const DoubleDouble Kd = entry(matrices.Kd, matrices.Kd_low, i, j);
      // M = (h/4)(Md + Kd - Dd),   D = Md - Kd,   K = (Md + Kd + Dd)/h
      system.M(i, j) = 0.25 * h * (Md + Kd - Dd).high;
      system.D(i, j) = (Md - Kd).high;
      system.K(i, j) = (Md + Kd + Dd).high / h;
    }
  }
  return system;
}

Eigen::MatrixXd discrete_forces(const Eigen::Ref<const Eigen::MatrixXd>& L,
                                const Eigen::Ref<const Eigen::MatrixXd>& u, double step) {
  check::positive("discrete_forces", "step", step);
  check::at_least("discrete_forces", "number of samples (rows of u)", u.rows(), 3);
  check::shape("discrete_forces", "u", u, u.rows(), L.cols());
  check::all_finite("discrete_forces", "u", u);
  const Index count = u.rows() - 2;
  if (L.cols() == 0) {
    return Eigen::MatrixXd::Zero(count, L.rows());
  }
  // fd(k) = (h/4) L (u(k) + 2 u(k-1) + u(k-2))
  const Eigen::MatrixXd sum = u.bottomRows(count) + 2.0 * u.middleRows(1, count) + u.topRows(count);
  return (0.25 * step) * sum * L.transpose();
}

Eigen::MatrixXcd discrete_transfer(const VariationalMatrices& matrices,
                                   const Eigen::Ref<const Eigen::MatrixXd>& L,
                                   std::complex<double> z) {
  check_discrete("discrete_transfer", matrices, L);
  check::finite("discrete_transfer", "z", std::abs(z));
  const Index n = matrices.Md.rows();
  if (L.cols() == 0) {
    return Eigen::MatrixXcd(n, 0);
  }
  const Complex delta = z - 1.0;
  Eigen::MatrixXcd stiffness(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const DoubleDouble Md = entry(matrices.Md, matrices.Md_low, i, j);
      const DoubleDouble Dd = entry(matrices.Dd, matrices.Dd_low, i, j);
      const DoubleDouble Kd = entry(matrices.Kd, matrices.Kd_low, i, j);
      // Md z² + Dd z + Kd = Md δ² + (2 Md + Dd) δ + (Md + Dd + Kd),  δ = z - 1
      const double slope = (scaled(Md, 2.0) + Dd).high;
      const double value = (Md + Dd + Kd).high;
      stiffness(i, j) = (Md.high * delta + slope) * delta + value;
    }
  }
  const Complex numerator = 0.25 * matrices.step * (z + 1.0) * (z + 1.0);
  return numerator * dense::solve(stiffness, L.cast<Complex>());
}

Eigen::MatrixXcd transfer(const model::SecondOrder& system, std::complex<double> s) {
  model::check_matrices("transfer", system);
  check::finite("transfer", "s", std::abs(s));
  if (system.inputs() == 0) {
    return Eigen::MatrixXcd(system.degrees_of_freedom(), 0);
  }
  // M s² + D s + K
  const Eigen::MatrixXcd stiffness =
      s * (s * system.M.cast<Complex>() + system.D.cast<Complex>()) + system.K.cast<Complex>();
  return dense::solve(stiffness, system.L.cast<Complex>());
}

std::complex<double> tustin(std::complex<double> z, double step) {
  check::positive("tustin", "step", step);
  if (z == -1.0) {
    return std::numeric_limits<double>::infinity();
  }
  return (2.0 / step) * (z - 1.0) / (z + 1.0);
}

}  // namespace alembert::integrate
