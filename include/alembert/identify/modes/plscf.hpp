#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "alembert/identify/modes/frf_data.hpp"

/// Polyreference least-squares complex frequency (pLSCF): poles of all orders at the cost of one.
///
/// The FRFs are written as a right matrix fraction with real coefficients,
///
///   H_o = B_o(z) A(z)⁻¹,   z = exp(iθ),   θ = π (f - f0)/(f1 - f0),
///
/// so that the band [f0, f1] fills the half circle and the basis is well conditioned up to high
/// orders. With weights w the error w (B_o - H_o A) is linear; its normal equations depend on
/// differences of exponents only, and B_o is eliminated order by order [Peeters2004].
namespace alembert::identify {

/// A pole with its participation row.
struct FrfPole {
  std::complex<double> pole;       ///< λ in 1/s, Im λ > 0
  Eigen::VectorXcd participation;  ///< l_r, m entries, largest 1: residue is φ_r l_rᵀ

  [[nodiscard]] double frequency_hz() const;   ///< |λ|/2π
  [[nodiscard]] double damping_ratio() const;  ///< -Re λ/|λ|
};

/// The poles of one order that may be modes: stable, within the band, damping below a bound.
struct FrfOrder {
  int order = 0;               ///< degree p of A
  std::vector<FrfPole> poles;  ///< ascending frequency
};

struct PlscfOptions {
  int smallest_order = 2;  ///< of the diagram
  /// Degree of A; 0 takes 60, 40, 30, 24 for 1, 2, 3, more inputs, or a quarter of the lines over
  /// the inputs if that is less.
  int largest_order = 0;
  double largest_damping = 0.2;  ///< poles at and above are left out
};

/// Poles for every order from smallest to largest, with A_0 = I, for which poles that only fit
/// noise come out unstable.
/// @throws InvalidInput as check_frf_data(), or if an order is out of range.
[[nodiscard]] std::vector<FrfOrder> plscf_poles(const FrfData& data,
                                                const PlscfOptions& options = {});

}  // namespace alembert::identify
