#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/records/state_space.hpp"

namespace alembert::report {

/// The report of [identify] with method = "state-space": fit of each output, measured and simulated
/// signals, poles with deviations, Bode and step plots with bands, choice of the order, study and
/// files. It holds no times, so that the same study gives the same bytes.
[[nodiscard]] document::Document state_space_document(const study::StateSpaceOutcome& result);

}  // namespace alembert::report
