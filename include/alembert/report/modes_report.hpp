#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/modes.hpp"

namespace alembert::report {

/// The report of [identify] with method = "modes": table of modes with deviations, stabilisation
/// diagram, measured and synthesised FRFs, shapes, MAC, study and files. It holds no times, so that
/// the same study gives the same bytes.
[[nodiscard]] document::Document modes_document(const study::ModesOutcome& result);

}  // namespace alembert::report
