#include "alembert/identify/to_continuous.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

namespace {

using Complex = std::complex<double>;

// Angle to the negative real axis within which a pole and its alias cannot be told apart.
constexpr double kBranchAngle = 0.03;
constexpr double kImaginaryTolerance = 1e-8;
constexpr double kWorstEigenvectors = 1e10;
constexpr double kSingularPole = 1e-14;

void check_model(const DiscreteModel& model) {
  const char* function = "to_continuous";
  const Index n = model.F.rows();
  check::at_least(function, "order (rows of F)", n, 1);
  check::shape(function, "F", model.F, n, n);
  check::shape(function, "G", model.G, n, model.G.cols());
  check::shape(function, "H", model.H, model.H.rows(), n);
  check::shape(function, "J", model.J, model.H.rows(), model.G.cols());
  for (const auto& [name, matrix] :
       {std::pair{"F", &model.F}, {"G", &model.G}, {"H", &model.H}, {"J", &model.J}}) {
    check::all_finite(function, name, *matrix);
  }
  check::positive(function, "step", model.step);
}

double condition_of(const MatrixXcd& matrix) {
  const Eigen::VectorXd values = dense::singular_values(matrix);
  const double least = values(values.size() - 1);
  return least > 0.0 ? values(0) / least : std::numeric_limits<double>::infinity();
}

void fail(ContinuousModel& result, Status status, std::string message) {
  if (!result.ok()) return;
  result.status = status;
  result.message = std::move(message);
}

// The imaginary part goes, and its size is noted.
MatrixXd real_part(const MatrixXcd& matrix, ContinuousModel& result) {
  const double size = matrix.norm();
  const double share = size > 0.0 ? matrix.imag().norm() / size : 0.0;
  result.imaginary_part = std::max(result.imaginary_part, share);
  return matrix.real();
}

void logarithm(const DiscreteModel& model, ContinuousModel& result) {
  const Index n = model.F.rows();
  const Index m = model.G.cols();
  MatrixXcd augmented = MatrixXcd::Identity(n + m, n + m);
  augmented.topLeftCorner(n, n) = model.F.cast<Complex>();
  augmented.topRightCorner(n, m) = model.G.cast<Complex>();
  // exp((A B; 0 0) h) = (F G; 0 I): also for a pole at 1, where A⁻¹ does not exist.
  const MatrixXcd rate = dense::logarithm(augmented) / model.step;
  result.A = real_part(rate.topLeftCorner(n, n), result);
  result.B = rate.topRightCorner(n, m).real();
  result.C = model.H;
  result.E = model.J;
}

void bilinear(const DiscreteModel& model, ContinuousModel& result) {
  const MatrixXd I = MatrixXd::Identity(model.F.rows(), model.F.cols());
  const MatrixXd sum = model.F + I;
  const MatrixXd response = dense::solve(sum, model.G);
  result.A = (2.0 / model.step) * dense::solve(sum, model.F - I);
  result.B = (2.0 / model.step) * response;
  result.C = 2.0 * dense::right_solve(model.H, sum);
  result.E = model.J - dense::times(model.H, response);
}

// p(z) and p'(z) of the diagonal Padé approximant R(z) = p(z)/p(-z).
std::pair<Complex, Complex> pade(Complex z, int stages) {
  if (stages == 2) return {1.0 + z * (0.5 + z / 12.0), 0.5 + z / 6.0};
  return {1.0 + z * (0.5 + z * (0.1 + z / 120.0)), 0.5 + z * (0.2 + z / 40.0)};
}

// The solution z of R(z) = w nearest to log w, by Newton's method on p(z) - w p(-z).
Complex invert_pade(Complex w, int stages) {
  Complex z = std::log(w);
  for (int step = 0; step < 50; ++step) {
    const auto [plus, plus_slope] = pade(z, stages);
    const auto [minus, minus_slope] = pade(-z, stages);
    const Complex change = (plus - w * minus) / (plus_slope + w * minus_slope);
    z -= change;
    if (std::abs(change) <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(z)) break;
  }
  return z;
}

void invert_gauss(const DiscreteModel& model, int stages,
                  const Eigen::ComplexEigenSolver<MatrixXcd>& modes, ContinuousModel& result) {
  const Index n = model.F.rows();
  Eigen::VectorXcd rate(n);
  Eigen::VectorXcd drive(n);
  for (Index i = 0; i < n; ++i) {
    const Complex w = modes.eigenvalues()(i);
    const Complex z = invert_pade(w, stages);
    rate(i) = z / model.step;
    // G = h ψ(hA) B with ψ(z) = (R(z) - 1)/z, which is 1 at z = 0.
    drive(i) = (std::abs(z) > 1e-12 ? z / (w - 1.0) : Complex(1.0)) / model.step;
  }
  const MatrixXcd& V = modes.eigenvectors();
  const MatrixXcd W = dense::inverse(V).transpose();
  result.A = real_part(dense::sandwich(V, rate, W), result);
  result.B = dense::times(dense::sandwich(V, drive, W), model.G.cast<Complex>()).real();
  result.C = model.H;
  result.E = model.J;
}

// Poles for which the rule has no or no certain inverse.
void guard_poles(const Eigen::VectorXcd& poles, DiscreteRule rule, ContinuousModel& result) {
  const double largest = poles.cwiseAbs().maxCoeff();
  for (const Complex& pole : poles) {
    if (rule == DiscreteRule::Tustin) {
      if (std::abs(pole + 1.0) < kSingularPole * (1.0 + largest)) {
        fail(result, Status::NotFinite,
             "F has a pole at -1, which Tustin's rule sends to infinity");
      }
      continue;
    }
    if (std::abs(pole) <= kSingularPole * largest) {
      fail(result, Status::NotFinite,
           "F is singular: a pole at 0 has no logarithm; lower the order or the step");
    } else if (std::numbers::pi - std::abs(std::arg(pole)) < kBranchAngle) {
      fail(
          result, Status::NotIdentifiable,
          fmt::format("the pole {:.4g}{:+.4g}i lies on or near the negative real axis: it turns by "
                      "half a circle in a step, and its alias fits as well; sample faster or "
                      "lower the order",
                      pole.real(), pole.imag()));
    }
  }
}

}  // namespace

ContinuousModel to_continuous(const DiscreteModel& model, DiscreteRule rule) {
  check_model(model);
  ContinuousModel result;
  const MatrixXcd F = model.F.cast<Complex>();
  const Eigen::ComplexEigenSolver<MatrixXcd> modes(F);
  result.condition = condition_of(modes.eigenvectors());
  guard_poles(modes.eigenvalues(), rule, result);
  if (result.status == Status::NotFinite) return result;
  const bool gauss = rule == DiscreteRule::Gauss2 || rule == DiscreteRule::Gauss3;
  if (gauss && !(result.condition < kWorstEigenvectors)) {
    fail(result, Status::NotIdentifiable,
         fmt::format("the eigenvectors of F have the condition {:.1e}: multiple poles cannot be "
                     "mapped one by one; use the logarithm",
                     result.condition));
  }
  if (rule == DiscreteRule::ZeroOrderHold) logarithm(model, result);
  if (rule == DiscreteRule::Tustin) bilinear(model, result);
  if (gauss) invert_gauss(model, rule == DiscreteRule::Gauss2 ? 2 : 3, modes, result);
  if (!result.A.allFinite() || !result.B.allFinite()) {
    result.status = Status::NotFinite;
    result.message = "the continuous model left the range of numbers";
  } else if (result.imaginary_part > kImaginaryTolerance) {
    fail(result, Status::NotIdentifiable,
         fmt::format("the continuous model is not real (imaginary part {:.1e} of its size): F has "
                     "real negative poles; use a longer horizon, MOESP or CVA",
                     result.imaginary_part));
  }
  return result;
}

}  // namespace alembert::identify
