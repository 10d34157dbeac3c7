#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/output_error.hpp"

namespace alembert::report {

/// The report of [identify] with method = "output-error": the verdict in words, the parameters with
/// standard deviations, their correlations, measured and simulated outputs with residuals for the
/// data used and for those held back, the autocorrelation of the residuals, how the parameters were
/// searched, the study and the files. It holds no times, so that the same study gives the same
/// bytes.
[[nodiscard]] document::Document output_error_document(const study::OutputErrorOutcome& result);

}  // namespace alembert::report
