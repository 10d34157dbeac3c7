#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/acceleration.hpp"

namespace alembert::report {

/// The report of [identify] with method = "acceleration": what is odd about the records, the
/// parameters by regression and by output error side by side, measured and fitted acceleration, the
/// reconstructed motion, windows, stiffness and damping against amplitude with the classical tests
/// on the same axes, compared equations, repeatability, static test, study and files. It holds no
/// times, so that the same study gives the same bytes.
[[nodiscard]] document::Document acceleration_document(const study::AccelerationOutcome& result);

}  // namespace alembert::report
