#include "identify/refine/step_rule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/integrate/detail/phi_functions.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using integrate::Drive;
using integrate::Method;

constexpr int kPhis = 5;
// Below this |λ| the series has at most e² times the rounding of its sum; above, the recursion
// divides by λ at most kPhis times.
constexpr double kSeriesLimit = 2.0;
constexpr int kSeriesTerms = 32;

double factorial(int k) { return std::tgamma(k + 1.0); }

// φ_0 .. φ_5 at λ: φ_k = Σ λⁱ/(i + k)!, φ_{k+1} = (φ_k - 1/k!)/λ
Eigen::VectorXcd phi_values(Complex pole) {
  Eigen::VectorXcd phi(kPhis + 1);
  if (std::abs(pole) > kSeriesLimit) {
    phi(0) = std::exp(pole);
    for (int k = 0; k < kPhis; ++k) {
      phi(k + 1) = (phi(k) - 1.0 / factorial(k)) / pole;
    }
    return phi;
  }
  Complex sum = 0.0;
  for (int i = kSeriesTerms; i >= 0; --i) {
    sum = sum * pole + 1.0 / factorial(i + kPhis);
  }
  phi(kPhis) = sum;
  for (int k = kPhis - 1; k >= 0; --k) {
    phi(k) = pole * phi(k + 1) + 1.0 / factorial(k);
  }
  return phi;
}

// Values for the coefficients (u, h u', h² u'', h³ u''') of the input, before they are turned into
// values for what the drive reads. φ_k' = φ_k - k φ_{k+1}.
RuleValues exact_values(Complex pole, int terms) {
  const Eigen::VectorXcd phi = phi_values(pole);
  RuleValues values{phi(0), phi(0), phi.segment(1, terms), Eigen::VectorXcd(terms)};
  for (int k = 1; k <= terms; ++k) {
    values.gamma_slope(k - 1) = phi(k) - static_cast<double>(k) * phi(k + 1);
  }
  return values;
}

// Gauss collocation from its nodes c: Σ_j a_ij c_jᵠ⁻¹ = c_iᵠ/q, Σ_j b_j c_jᵠ⁻¹ = 1/q, q = 1..s.
struct Collocation {
  Eigen::MatrixXd a;
  Eigen::RowVectorXd b;
  Eigen::VectorXd c;
};
Collocation collocation(int stages) {
  Collocation result;
  result.c.setConstant(stages, 0.5);
  const double spread = stages == 1 ? 0.0 : stages == 2 ? std::sqrt(3.0) / 6.0 : std::sqrt(0.15);
  result.c(0) -= spread;
  result.c(stages - 1) += spread;
  Eigen::MatrixXd powers(stages, stages), integrals(stages, stages);
  Eigen::RowVectorXd whole(stages);
  for (int q = 1; q <= stages; ++q) {
    powers.col(q - 1) = result.c.array().pow(q - 1.0);
    integrals.col(q - 1) = result.c.array().pow(static_cast<double>(q)) / q;
    whole(q - 1) = 1.0 / q;
  }
  const Eigen::MatrixXd inverse = dense::inverse(powers);
  result.a = integrals * inverse;
  result.b = whole * inverse;
  return result;
}

// With X = (I - λ a)⁻¹: μ = 1 + λ b X 1, γ_j = b X cʲ/j!, X' = X a X.
RuleValues gauss_values(Complex pole, int stages, int terms) {
  const Collocation rule = collocation(stages);
  const Eigen::MatrixXcd identity = Eigen::MatrixXcd::Identity(stages, stages);
  const Eigen::MatrixXcd X =
      dense::inverse(Eigen::MatrixXcd(identity - pole * rule.a.cast<Complex>()));
  const Eigen::RowVectorXcd bX = rule.b.cast<Complex>() * X;
  const Eigen::RowVectorXcd slope = bX * rule.a.cast<Complex>() * X;
  RuleValues values{1.0 + pole * bX.sum(), bX.sum() + pole * slope.sum(), Eigen::VectorXcd(terms),
                    Eigen::VectorXcd(terms)};
  for (int j = 0; j < terms; ++j) {
    const Eigen::VectorXcd power =
        (rule.c.array().pow(static_cast<double>(j)) / factorial(j)).cast<Complex>();
    values.gamma(j) = bX * power;
    values.gamma_slope(j) = slope * power;
  }
  return values;
}

// From values for (u, h u') to values for the two samples u(k), u(k+1): h u' = u(k+1) - u(k).
void take_difference(Eigen::VectorXcd& gamma) { gamma(0) -= gamma(1); }

// Midpoint rule: the mean of both samples drives Gauss' method with one stage.
void take_mean(Eigen::VectorXcd& gamma) {
  const Complex half = 0.5 * gamma(0);
  gamma = Eigen::VectorXcd::Constant(2, half);
}

// (I - a ⊗ A) k = (1 ⊗ A) z + Σ_j (cʲ/j! ⊗ B) w_j,  z₊ = z + Σ b_i k_i
RuleMatrices gauss_matrices(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, int stages,
                            int terms) {
  const Collocation rule = collocation(stages);
  const Index size = A.rows();
  const Index m = B.cols();
  Eigen::MatrixXd coupled = Eigen::MatrixXd::Identity(stages * size, stages * size);
  Eigen::MatrixXd rhs(stages * size, size + terms * m);
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) {
      coupled.block(i * size, j * size, size, size) -= rule.a(i, j) * A;
    }
    rhs.block(i * size, 0, size, size) = A;
    for (int j = 0; j < terms; ++j) {
      rhs.block(i * size, size + j * m, size, m) = std::pow(rule.c(i), j) / factorial(j) * B;
    }
  }
  const Eigen::MatrixXd k = dense::solve(coupled, rhs);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size + terms * m);
  for (int i = 0; i < stages; ++i) {
    sum += rule.b(i) * k.middleRows(i * size, size);
  }
  return {Eigen::MatrixXd::Identity(size, size) + sum.leftCols(size), sum.rightCols(terms * m)};
}

RuleMatrices exact_matrices(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, int terms) {
  const integrate::PhiProducts phi = integrate::phi_products(A, B, terms);
  RuleMatrices result{phi.exponential, Eigen::MatrixXd(A.rows(), terms * B.cols())};
  for (int j = 0; j < terms; ++j) {
    result.G.middleCols(j * B.cols(), B.cols()) = phi.products[static_cast<std::size_t>(j)];
  }
  return result;
}

}  // namespace

StepRule step_rule(std::string_view function, const RefineOptions& options) {
  if (options.method == Method::Newmark) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "method",
                        .rule = "must be Exact, Variational or Gauss",
                        .value = "Newmark"});
  }
  if (options.gauss_stages < 1 || options.gauss_stages > 3) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "gauss_stages",
                        .rule = "must be 1, 2 or 3",
                        .value = fmt::format("{}", options.gauss_stages)});
  }
  return {options.method, options.hold, options.gauss_stages};
}

Drive drive_of(const StepRule& rule) {
  if (rule.method == Method::Variational) return Drive::Ends;
  return rule.hold == signal::BetweenSamples::Held     ? Drive::Begin
         : rule.hold == signal::BetweenSamples::Linear ? Drive::Ends
                                                       : Drive::Polynomial;
}

int terms_of(const StepRule& rule) {
  return rule.method == Method::Variational ? 2 : integrate::hold_coefficients(rule.hold);
}

RuleValues rule_values(const StepRule& rule, Complex pole) {
  if (rule.method == Method::Variational) {
    RuleValues values = gauss_values(pole, 1, 1);
    take_mean(values.gamma);
    take_mean(values.gamma_slope);
    return values;
  }
  const int terms = integrate::hold_coefficients(rule.hold);
  RuleValues values = rule.method == Method::Exact ? exact_values(pole, terms)
                                                   : gauss_values(pole, rule.stages, terms);
  if (rule.hold == signal::BetweenSamples::Linear) {
    take_difference(values.gamma);
    take_difference(values.gamma_slope);
  }
  return values;
}

RuleMatrices rule_matrices(const StepRule& rule, const Eigen::MatrixXd& A,
                           const Eigen::MatrixXd& B) {
  const Index m = B.cols();
  if (rule.method == Method::Variational) {
    RuleMatrices one = gauss_matrices(A, B, 1, 1);
    Eigen::MatrixXd both(A.rows(), 2 * m);
    both << 0.5 * one.G, 0.5 * one.G;
    one.G = both;
    return one;
  }
  const int terms = integrate::hold_coefficients(rule.hold);
  RuleMatrices result = rule.method == Method::Exact ? exact_matrices(A, B, terms)
                                                     : gauss_matrices(A, B, rule.stages, terms);
  if (rule.hold == signal::BetweenSamples::Linear) result.G.leftCols(m) -= result.G.rightCols(m);
  return result;
}

}  // namespace alembert::identify
