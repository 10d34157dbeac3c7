#pragma once

#include <cstddef>

#include "alembert/document/result_tree.hpp"
#include "alembert/study/acceleration.hpp"

namespace alembert::study {

/// Adds what was found from record `e`: its diagnosis, the parameters by both methods side by side,
/// how regression and refinement ended, and the logarithmic decrements.
void describe_motion_record(const AccelerationOutcome& result, std::size_t e,
                            document::ResultTree& tree);

}  // namespace alembert::study
