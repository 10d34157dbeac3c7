#pragma once

#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {

/// Sets the verdict by what speaks against an estimate: how it ended, innovations that are larger,
/// smaller or more regular than their covariance says, and its warnings.
void judge_trust(ObserveResult& result);

/// What the mean of the normalised innovations squared says, against its expectation.
void judge_nis(double mean, double expected, Evidence& evidence);

}  // namespace alembert::estimate
