#include "alembert/integrate/gauss.hpp"

#include <fmt/core.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"
#include "core/algebra/decompositions.hpp"
#include "integrate/linear/effective_matrix.hpp"

namespace alembert::integrate {

namespace {

struct Tableau {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, c;
};

// Collocation: c are the roots of the Legendre polynomial on [0, 1], a_ij = ∫₀^{c_i} l_j dτ and
// b_j = ∫₀¹ l_j dτ with Lagrange's polynomials l_j on these nodes.
Tableau gauss_tableau(int stages) {
  Tableau t{Eigen::MatrixXd(stages, stages), Eigen::VectorXd(stages), Eigen::VectorXd(stages)};
  if (stages == 1) {
    t.a << 0.5;
    t.b << 1.0;
    t.c << 0.5;
  } else if (stages == 2) {
    const double r = std::sqrt(3.0) / 6.0;
    t.a << 0.25, 0.25 - r, 0.25 + r, 0.25;
    t.b << 0.5, 0.5;
    t.c << 0.5 - r, 0.5 + r;
  } else {
    const double r = std::sqrt(15.0);
    t.a << 5.0 / 36.0, 2.0 / 9.0 - r / 15.0, 5.0 / 36.0 - r / 30.0,  //
        5.0 / 36.0 + r / 24.0, 2.0 / 9.0, 5.0 / 36.0 - r / 24.0,     //
        5.0 / 36.0 + r / 30.0, 2.0 / 9.0 + r / 15.0, 5.0 / 36.0;
    t.b << 5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0;
    t.c << 0.5 - r / 10.0, 0.5, 0.5 + r / 10.0;
  }
  return t;
}

}  // namespace

OneStepMap gauss_map(const model::SecondOrder& system, double step, int stages,
                     signal::BetweenSamples hold) {
  if (stages < 1 || stages > 3) {
    throw InvalidInput({.function = "gauss_map",
                        .argument = "stages",
                        .rule = "must be 1, 2 or 3",
                        .value = fmt::format("{}", stages)});
  }
  const ScaledSystem form = scaled_system("gauss_map", system, step);
  const Tableau t = gauss_tableau(stages);
  const Eigen::Index size = form.A.rows();
  const Eigen::Index m = system.inputs();
  const int terms = hold_coefficients(hold);

  // (I - a ⊗ A) k = (1 ⊗ A) z + Σ_j (cʲ/j! ⊗ B) w_j, one column for each entry of z and w
  Eigen::MatrixXd coupled = Eigen::MatrixXd::Identity(stages * size, stages * size);
  Eigen::MatrixXd rhs(stages * size, size + terms * m);
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) {
      coupled.block(i * size, j * size, size, size) -= t.a(i, j) * form.A;
    }
    rhs.block(i * size, 0, size, size) = form.A;
    for (int j = 0; j < terms; ++j) {
      rhs.block(i * size, size + j * m, size, m) =
          std::pow(t.c(i), j) / std::tgamma(j + 1.0) * form.B;
    }
  }
  const Eigen::MatrixXd k = factorised("gauss_map", "I - a (x) A", coupled).solve(rhs);

  // z₊ = z + Σ b_i k_i
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size + terms * m);
  for (int i = 0; i < stages; ++i) {
    sum += t.b(i) * k.middleRows(i * size, size);
  }
  OneStepMap map;
  map.step = step;
  map.F = Eigen::MatrixXd::Identity(size, size) + sum.leftCols(size);
  set_input(map, hold, sum.rightCols(terms * m));
  return map;
}

}  // namespace alembert::integrate
