#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/identify.hpp"

namespace alembert::report {

/// The report of [identify]: the verdict in words, M, D and K with standard deviations, modes and
/// their shapes, model over measured frequency responses, measured over predicted signals,
/// residuals, how the estimate came about, comparison of methods, the study and the files.
[[nodiscard]] document::Document identify_document(const study::IdentifyResult& result);

}  // namespace alembert::report
