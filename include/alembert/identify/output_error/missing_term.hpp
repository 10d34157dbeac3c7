#pragma once

#include <string>

namespace alembert::identify {

/// A term that the equations have not and the residuals show: equation = ... + coefficient · text.
/// See docs/theory/output-error.md, "Terms that are missing".
struct UnmodelledTerm {
  std::string equation;      ///< what gets the term, as "x''"
  std::string text;          ///< φ in the language of equations, as "smooth_sign(x', 0.01)"
  double coefficient = 0.0;  ///< q, in first order, by what the residuals show
  double deviation = 0.0;    ///< of q, for coloured residuals
  double freedom = 0.0;      ///< degrees of freedom of that
  double share = 0.0;  ///< rms of q φ over that of the derivative that gets it, along the motion
  std::string parameter;  ///< the one that the term moves farthest, counted in its deviations
  double shift = 0.0;     ///< by so many of its deviations; its sign is that of `moved`
  double moved = 0.0;     ///< that parameter with the term less the same without, in first order

  /// |q| over its deviation.
  [[nodiscard]] double deviations() const noexcept {
    return (coefficient < 0.0 ? -coefficient : coefficient) / deviation;
  }
};

}  // namespace alembert::identify
