#include "alembert/integrate/exact.hpp"

#include <cmath>

#include "alembert/integrate/detail/phi_functions.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"

namespace alembert::integrate {

namespace {

// A power of two near ω_max h. In the state (q, h v/σ) both off-diagonal blocks of A are of size
// ω h; without it the norm would be the larger of 1 and (ω h)², and the exponential would be
// squared far too often or from far too large a base.
double velocity_scale(const Eigen::MatrixXd& A) {
  const Eigen::Index n = A.rows() / 2;
  const double norm = A.bottomLeftCorner(n, n).cwiseAbs().rowwise().sum().maxCoeff();
  return norm > 0.0 ? std::exp2(std::round(0.5 * std::log2(norm))) : 1.0;
}

}  // namespace

OneStepMap exact_map(const model::SecondOrder& system, double step, signal::BetweenSamples hold) {
  ScaledSystem form = scaled_system("exact_map", system, step);
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::Index m = system.inputs();
  const double sigma = velocity_scale(form.A);
  form.A.topRightCorner(n, n) *= sigma;
  form.A.bottomLeftCorner(n, n) /= sigma;
  if (m > 0) {
    form.B.bottomRows(n) /= sigma;
  }

  PhiProducts phi = phi_products(form.A, form.B, hold_coefficients(hold));
  phi.exponential.topRightCorner(n, n) /= sigma;
  phi.exponential.bottomLeftCorner(n, n) *= sigma;
  Eigen::MatrixXd G(2 * n, hold_coefficients(hold) * m);
  for (int j = 0; m > 0 && j < hold_coefficients(hold); ++j) {
    Eigen::MatrixXd& product = phi.products[static_cast<std::size_t>(j)];
    product.bottomRows(n) *= sigma;
    G.middleCols(j * m, m) = product;
  }
  OneStepMap map;
  map.step = step;
  map.F = phi.exponential;
  set_input(map, hold, G);
  return map;
}

}  // namespace alembert::integrate
