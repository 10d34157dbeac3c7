#include "alembert/identify/modes/plscf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/general_eigen.hpp"
#include "identify/modes/frf/plscf_equations.hpp"

namespace alembert::identify {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

constexpr const char* kPlscf = "plscf_poles";

int automatic_order(const FrfData& data) {
  constexpr int kOrders[] = {60, 40, 30, 24};
  const Index place = std::min<Index>(data.inputs, 4) - 1;
  const Index carried = data.lines() / (4 * data.inputs);
  return std::max(2, static_cast<int>(std::min<Index>(kOrders[place], carried)));
}

// det(w^p I + A_1 w^(p-1) + .. + A_p) = 0 with w = 1/z.
MatrixXd companion(const MatrixXd& A, Index m) {
  const Index size = A.rows();
  MatrixXd block = MatrixXd::Zero(size, size);
  for (Index k = 0; k < size / m; ++k) block.block(0, k * m, m, m) = -A.middleRows(k * m, m);
  block.bottomLeftCorner(size - m, size - m).setIdentity();
  return block;
}

// The row l with l A(z) = 0, largest entry 1: the left singular vector of the smallest value.
VectorXcd participation_of(const MatrixXd& A, Index m, Complex z) {
  if (m == 1) return VectorXcd::Ones(1);
  MatrixXcd value = MatrixXcd::Identity(m, m);
  Complex power = 1.0;
  for (Index k = 0; k < A.rows() / m; ++k) {
    power *= z;
    value += power * A.middleRows(k * m, m);
  }
  const Eigen::JacobiSVD<MatrixXcd> parts(value, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const VectorXcd row = parts.matrixU().col(m - 1).conjugate();
  Index largest = 0;
  row.cwiseAbs().maxCoeff(&largest);
  return row / row(largest);
}

// The poles of one order that may be modes.
FrfOrder poles_of(const modes::PlscfEquations& equations, const FrfData& data,
                  const PlscfOptions& options) {
  FrfOrder found{.order = equations.order(), .poles = {}};
  const MatrixXd A = equations.coefficients();
  if (!A.allFinite()) return found;
  const double first = data.frequencies_hz(0);
  const double last = data.frequencies_hz(data.lines() - 1);
  for (const Complex& w : general_eigenvalues(companion(A, data.inputs))) {
    const Complex z = 1.0 / w;
    if (!(std::abs(z) < 1.0) || !(z.imag() > 0.0)) continue;
    // λ = 2 (f1 - f0) log z + 2πi f0
    const Complex pole =
        2.0 * (last - first) * std::log(z) + Complex(0.0, 2.0 * std::numbers::pi * first);
    FrfPole one{.pole = pole, .participation = {}};
    const double f = one.frequency_hz();
    if (f < first || f > last || one.damping_ratio() >= options.largest_damping) continue;
    one.participation = participation_of(A, data.inputs, z);
    found.poles.push_back(std::move(one));
  }
  std::sort(found.poles.begin(), found.poles.end(),
            [](const FrfPole& a, const FrfPole& b) { return a.pole.imag() < b.pole.imag(); });
  return found;
}

}  // namespace

double FrfPole::frequency_hz() const { return std::abs(pole) / (2.0 * std::numbers::pi); }

double FrfPole::damping_ratio() const { return -pole.real() / std::abs(pole); }

std::vector<FrfOrder> plscf_poles(const FrfData& data, const PlscfOptions& options) {
  check_frf_data(kPlscf, data);
  const int largest = options.largest_order > 0 ? options.largest_order : automatic_order(data);
  const auto most = data.lines() / data.inputs - 1;
  check::in_range(kPlscf, "largest_order", largest, 1.0, static_cast<double>(most));
  const int smallest = std::min(std::max(1, options.smallest_order), largest);
  modes::PlscfEquations equations(data, largest);
  std::vector<FrfOrder> orders;
  for (equations.advance(); equations.order() < largest;) {
    equations.advance();
    if (equations.order() >= smallest) orders.push_back(poles_of(equations, data, options));
  }
  return orders;
}

}  // namespace alembert::identify
