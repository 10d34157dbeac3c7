#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"

namespace alembert::report {

/// The report of [identify] on a mechanism: parameters and base parameters with intervals, the same
/// by inverse dynamics, measured and simulated motion, held-back data, study and files. It holds no
/// times, so that the same study gives the same bytes.
[[nodiscard]] document::Document mechanism_fit_document(const study::MechanismFitOutcome& result);

}  // namespace alembert::report
