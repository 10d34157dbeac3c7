#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/observe.hpp"

namespace alembert::report {

/// The report of [observe]: the verdict in words, the mechanism as it moves, positions, velocities
/// and accelerations with bands of two standard deviations, innovations with their bounds, NIS with
/// its χ² band, what the sensors see over the workspace, the study and the files. It holds no
/// times of the run, so that the same study gives the same bytes.
[[nodiscard]] document::Document observe_document(const study::ObserveResult& result);

}  // namespace alembert::report
