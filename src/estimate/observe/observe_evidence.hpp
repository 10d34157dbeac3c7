#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Sets the verdict by what speaks against an estimate: how it ended, innovations that are larger,
/// smaller or more regular than their covariance says, and its warnings.
void judge_trust(ObserveResult& result);

}  // namespace alembert::estimate
