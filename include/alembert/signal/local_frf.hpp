#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/frf.hpp"

/// FRFs by the local polynomial method: no window, every line of the record, leakage taken out.
namespace alembert::signal {

struct LocalFrfOptions {
  int degree = 2;  ///< R, of the polynomials, from 1 to 6
  /// w: lines on either side of each; 0 takes the fewest that leave 6 more rows than unknowns.
  int half_width = 0;
  double from_hz = 0.0;  ///< first line
  double to_hz = 1e300;  ///< last line
};

/// Estimates FRFs from whole records of equal length with any forces.
/// Around each line k the responses and what begins and ends the record are smooth:
///
///   Y_e(k+r) = (G + Σ_{s=1..R} g_s r^s) U_e(k+r) + Σ_{s=0..R} t_es r^s + V,   r = -w .. w,
///
/// for each experiment e, with one G and g_s for all. G follows by least squares; at the ends of
/// the axis the window is shifted. With E the residual of n rows and c unknowns a row,
///
///   C_v = Eᴴ E/(n - c),   var G_ij = (Rᵢ Rᵢᴴ)_jj C_v,ii,
///
/// of which half counts for |H|. The result has no coherences (NaN) and no averaging.
///
/// Its error at a peak is about 5 % with 9 lines and degree 2 where the half-power width has 8 of
/// them, and 20 % with 4 (noise apart): it needs half-power widths of at least 2 w + 1 lines.
/// @throws InvalidInput as estimate_frf(), if records differ in length, a sample is missing, or
/// they
///   have fewer lines than a window.
[[nodiscard]] FrfResult estimate_local_frf(const std::vector<InputOutput>& experiments, double step,
                                           const LocalFrfOptions& options = {});

/// The half width that is taken for w = 0: 2 w + 1 rows of each experiment leave 6 more than the
/// (R + 1)(inputs + experiments) unknowns.
[[nodiscard]] int local_half_width(Eigen::Index inputs, Eigen::Index experiments, int degree);

}  // namespace alembert::signal
