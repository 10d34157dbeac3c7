#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Finds the noise levels of greatest likelihood that the options do not give: densities of the
/// motion, one for each coordinate, and standard deviations of sensors. Looks from sample `first`
/// on (see noise_stretch) and puts them into result.mechanism and result.options; a guess that the
/// readings do not better stays, with a warning.
void fit_noise(const Eigen::Ref<const Eigen::VectorXd>& time,
               const Eigen::Ref<const Eigen::MatrixXd>& readings, Eigen::Index first,
               ObserveResult& result);

}  // namespace alembert::estimate
