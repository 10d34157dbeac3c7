#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "model/second_order/modal_form.hpp"

namespace alembert::model {

namespace {

using Complex = std::complex<double>;

// A pole and its shape η in modal coordinates.
struct ModalPole {
  Complex pole;
  Eigen::VectorXcd eta;
};

// From x = (|ω| η, λ η): where both parts know η, the least-squares mean of the two, which leans
// on the position for modes faster than |λ| and on the velocity for slower ones.
Eigen::VectorXcd modal_shape(const BalancedForm& form, Eigen::Index n, Complex pole,
                             const Eigen::VectorXcd& x) {
  const Eigen::Index e = form.omega.size();
  Eigen::VectorXcd eta = x.tail(n);
  if (pole == 0.0) {
    // Only a rigid-body motion has λ = 0: its velocity part is the shape.
    for (const int mode : form.elastic) {
      eta(mode) = 0.0;
    }
    return eta;
  }
  eta /= pole;
  for (Eigen::Index row = 0; row < e; ++row) {
    const double omega = form.omega(row);
    eta(form.elastic(row)) = (omega * x(row) + std::conj(pole) * x(e + form.elastic(row))) /
                             (omega * omega + std::norm(pole));
  }
  return eta;
}

// Residual of (λ² + Δ λ + κ) η, each row in units of its own impedance.
double residual(const ModalForm& modal, const ModalPole& mode) {
  const Eigen::VectorXcd force = (modal.stiffness.cast<Complex>().array() + mode.pole * mode.pole)
                                     .matrix()
                                     .cwiseProduct(mode.eta) +
                                 mode.pole * (modal.damping * mode.eta);
  const Eigen::VectorXd impedance =
      modal.stiffness.cwiseAbs().cwiseSqrt().array() + std::abs(mode.pole);
  return force.cwiseAbs().cwiseQuotient(impedance).norm();
}

// The root of m λ² + d λ + k nearest to the given λ, without cancellation; `near` itself if the
// polynomial is degenerate.
Complex nearest_root(Complex m, Complex d, Complex k, Complex near) {
  const Complex discriminant = std::sqrt(d * d - 4.0 * m * k);
  const Complex sum =
      std::real(std::conj(d) * discriminant) >= 0.0 ? d + discriminant : d - discriminant;
  if (m == 0.0 || sum == 0.0) {
    return near;
  }
  const Complex large = -0.5 * sum / m;
  const Complex small = -2.0 * k / sum;
  return std::abs(large - near) < std::abs(small - near) ? large : small;
}

// One step of the quadratic Rayleigh functional: the error of λ becomes the square of that of η,
// because the matrices are symmetric. Kept only if the residual shrinks.
void polish(const ModalForm& modal, ModalPole& mode) {
  const auto form = [&mode](const Eigen::VectorXcd& product) {
    return mode.eta.cwiseProduct(product).sum();
  };
  const Complex m = form(mode.eta);
  const Complex d = form(modal.damping * mode.eta);
  const Complex k = form(modal.stiffness.cwiseProduct(mode.eta));
  ModalPole refined{nearest_root(m, d, k, mode.pole), mode.eta};
  const bool same_kind = (refined.pole.imag() != 0.0) == (mode.pole.imag() != 0.0);
  if (same_kind && residual(modal, refined) < residual(modal, mode)) {
    mode.pole = {refined.pole.real(), std::abs(refined.pole.imag())};
  }
}

std::vector<ModalPole> modal_poles(const ModalForm& modal) {
  const Eigen::Index n = modal.stiffness.size();
  const BalancedForm form = balanced_form(modal);
  const Eigen::Index rigid = n - form.omega.size();
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(form.A);
  if (eigen.info() != Eigen::Success) {
    throw InvalidInput({.function = "damped_modes",
                        .rule = "the eigenvalues of the system did not converge",
                        .value = "entries of very different size; scale the coordinates"});
  }
  const double rounding = 8.0 * static_cast<double>(form.A.rows()) *
                          std::numeric_limits<double>::epsilon() * form.A.norm();
  std::vector<ModalPole> poles;
  for (Eigen::Index mode = 0; mode < n; ++mode) {
    if (modal.stiffness(mode) == 0.0) {
      poles.push_back({0.0, Eigen::VectorXcd::Unit(n, mode)});
    }
  }
  for (Eigen::Index index = 0; index < form.A.rows(); ++index) {
    Complex pole = eigen.eigenvalues()(index);
    if (pole.imag() < 0.0) {
      continue;
    }
    if (rigid > 0 && std::abs(pole) <= rounding) {
      pole = 0.0;
    }
    ModalPole mode{pole, modal_shape(form, n, pole, eigen.eigenvectors().col(index))};
    if (pole != 0.0) {
      polish(modal, mode);
    }
    poles.push_back(std::move(mode));
  }
  return poles;
}

// A real part that cannot be told from zero is zero: an undamped system has no damping of -0.000.
Complex without_rounding(Complex pole, Eigen::Index n) {
  const double rounding =
      8.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * std::abs(pole);
  return std::abs(pole.real()) <= rounding ? Complex(0.0, pole.imag()) : pole;
}

DampedMode physical(const ModalForm& modal, const ModalPole& mode) {
  DampedMode result;
  result.pole = without_rounding(mode.pole, modal.stiffness.size());
  const double magnitude = std::abs(result.pole);
  result.frequency_hz = magnitude / (2.0 * std::numbers::pi);
  // Not -Re λ alone, which would make -0 of +0.
  result.damping_ratio = result.pole.real() == 0.0 ? 0.0 : -result.pole.real() / magnitude;
  result.shape = modal.shapes * mode.eta;
  const Complex leading = result.shape(leading_entry(result.shape.cwiseAbs()));
  if (leading != 0.0) {
    result.shape /= leading;
  }
  return result;
}

}  // namespace

std::vector<DampedMode> damped_modes(const SecondOrder& system) {
  check_matrices("damped_modes", system);
  const ModalForm modal = modal_form("damped_modes", system);
  std::vector<DampedMode> modes;
  for (const ModalPole& mode : modal_poles(modal)) {
    modes.push_back(physical(modal, mode));
  }
  std::stable_sort(modes.begin(), modes.end(), [](const DampedMode& a, const DampedMode& b) {
    return std::abs(a.pole) < std::abs(b.pole);
  });
  return modes;
}

}  // namespace alembert::model
