#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Alarms of the signals that the options watch, from the first scored sample on, with the delays
/// of forces and other states: from five places of the record, by the filter that it has run.
void watch_observation(const Eigen::Ref<const Eigen::VectorXd>& time,
                       const Eigen::Ref<const Eigen::MatrixXd>& readings, ObserveResult& result);

}  // namespace alembert::estimate
