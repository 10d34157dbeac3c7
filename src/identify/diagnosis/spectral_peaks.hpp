#pragma once

#include "alembert/identify/record_diagnosis.hpp"

namespace alembert::identify {

/// The peaks of a record without its slow trend, largest first: local maxima of the spectrum with a
/// Blackman-Harris window that are above `share` of the largest and above five times the median
/// line, at least a main lobe apart.
[[nodiscard]] std::vector<SpectralPeak> spectral_peaks(
    const Eigen::Ref<const Eigen::VectorXd>& values, double step, double share = 0.01);

}  // namespace alembert::identify
