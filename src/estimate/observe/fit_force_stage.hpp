#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Finds the noise levels of both stages: first those of the motion as fit_noise() does, then the
/// densities of the forces that walk along it, for which the cells are likeliest. Puts them into
/// result.mechanism and result.options.
void fit_two_stages(const Eigen::Ref<const Eigen::VectorXd>& time,
                    const Eigen::Ref<const Eigen::MatrixXd>& readings, Eigen::Index first,
                    ObserveResult& result);

}  // namespace alembert::estimate
