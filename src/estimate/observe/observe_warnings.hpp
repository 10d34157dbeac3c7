#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Adds in words what a finished result shows of lost motion, samples and noise levels.
void add_warnings(ObserveResult& result);

}  // namespace alembert::estimate
