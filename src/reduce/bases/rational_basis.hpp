#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/ranking.hpp"
#include "alembert/reduce/substructure.hpp"

namespace alembert::reduce {

/// Where responses must be right.
struct ResponseBand {
  double frequency_hz = 0.0;
  Eigen::VectorXcd force;  ///< amplitude on each master
};

/// Responses that together describe those of whole bands.
struct RationalBasis {
  Eigen::MatrixXd vectors;           ///< rows of the structure x responses
  std::vector<double> frequency_hz;  ///< where they were taken
  double error = 0.0;                ///< largest estimate that is left, relative
};

/// Rational interpolation over bands of ± `width` about each frequency: begins with the responses
/// at the frequencies themselves, and adds the one where the estimated error is largest,
///
///   e = (K - σ M)⁻¹ (f - (K - ω² M) H z),  relative to H z,
///
/// with σ the shift of this band that was factored last: over all rows, and at the master that
/// moves most. It ends when the estimate is below `wanted` everywhere or there are `most`
/// responses. A small model of it is exact where responses were taken.
[[nodiscard]] RationalBasis rational_basis(const model::Structure& structure,
                                           const Substructure& split,
                                           const std::vector<ResponseBand>& bands, double width,
                                           double wanted, Eigen::Index most);

}  // namespace alembert::reduce
