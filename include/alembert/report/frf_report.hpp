#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/responses/frf.hpp"

namespace alembert::report {

/// The report of [identify] with method = "frf": magnitude with its deviation, phase, coherence,
/// study and files. It holds no times, so that the same study gives the same bytes.
[[nodiscard]] document::Document frf_document(const study::FrfOutcome& result);

}  // namespace alembert::report
