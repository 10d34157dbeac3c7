#include "alembert/integrate/detail/phi_functions.hpp"

#include <cmath>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::integrate {

namespace {

// At this norm a Padé approximant of degree 6 has relative error ½¹³ (6!)²/(12! 13!) = 2e-17, and
// Taylor's series with 14 terms ends at ½¹⁴/15! = 5e-17.
constexpr double kLargestNorm = 0.5;
constexpr int kTaylorTerms = 14;

double factorial(int k) { return std::tgamma(k + 1.0); }

// exp(A) = (V - U)⁻¹ (V + U), the Padé approximant of degrees (6, 6):
// c_j = 6! (12 - j)! / (12! j! (6 - j)!)
Eigen::MatrixXd pade_exponential(const Eigen::MatrixXd& A) {
  const auto c = [](int j) {
    return factorial(6) * factorial(12 - j) / (factorial(12) * factorial(j) * factorial(6 - j));
  };
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(A.rows(), A.rows());
  const Eigen::MatrixXd A2 = A * A;
  const Eigen::MatrixXd A4 = A2 * A2;
  const Eigen::MatrixXd A6 = A4 * A2;
  const Eigen::MatrixXd odd = c(1) * identity + c(3) * A2 + c(5) * A4;
  const Eigen::MatrixXd U = A * odd;
  const Eigen::MatrixXd V = c(0) * identity + c(2) * A2 + c(4) * A4 + c(6) * A6;
  // exp(A) = I + 2 (V - U)⁻¹ U keeps the small part of a short step to full relative accuracy.
  return identity + 2.0 * dense::solve(V - U, U);
}

// φ_k(A) B for a small A: the highest by its series Σ Aⁱ B/(i + k)!, the others by
// φ_k(A) = I/k! + A φ_{k+1}(A).
std::vector<Eigen::MatrixXd> taylor_products(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                             int count) {
  std::vector<Eigen::MatrixXd> P(static_cast<std::size_t>(count));
  Eigen::MatrixXd sum = B / factorial(count + kTaylorTerms);
  for (int i = kTaylorTerms - 1; i >= 0; --i) {
    sum = B / factorial(count + i) + A * sum;
  }
  P.back() = sum;
  for (int k = count - 1; k >= 1; --k) {
    const std::size_t index = static_cast<std::size_t>(k - 1);
    P[index] = B / factorial(k) + A * P[index + 1];
  }
  return P;
}

// φ_k(2A) B = 2⁻ᵏ (exp(A) φ_k(A) B + Σ_{j=1..k} φ_j(A) B/(k - j)!), from the highest k down,
// which needs only products that are not doubled yet.
void double_argument(PhiProducts& phi) {
  for (int k = static_cast<int>(phi.products.size()); k >= 1; --k) {
    const std::size_t index = static_cast<std::size_t>(k - 1);
    Eigen::MatrixXd sum = phi.exponential * phi.products[index];
    for (int j = 1; j <= k; ++j) {
      sum += phi.products[static_cast<std::size_t>(j - 1)] / factorial(k - j);
    }
    phi.products[index] = std::ldexp(1.0, -k) * sum;
  }
  phi.exponential = (phi.exponential * phi.exponential).eval();
}

}  // namespace

PhiProducts phi_products(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, int count) {
  const double norm = A.cwiseAbs().colwise().sum().maxCoeff();
  const int squarings =
      norm > kLargestNorm ? static_cast<int>(std::ceil(std::log2(norm / kLargestNorm))) : 0;
  const Eigen::MatrixXd small = std::ldexp(1.0, -squarings) * A;
  PhiProducts phi{pade_exponential(small), taylor_products(small, B, count)};
  for (int i = 0; i < squarings; ++i) {
    double_argument(phi);
  }
  return phi;
}

}  // namespace alembert::integrate
