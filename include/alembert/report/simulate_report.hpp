#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/simulate.hpp"

/// Results of studies as documents.
namespace alembert::report {

/// The report of [simulate]: what was asked, how it ended, the model with its modes and frequency
/// responses, inputs, sensor records over the true motion with their spectra and noise, energy,
/// and the files beside the report. With several experiments the plots show the first finished one
/// and the tables all of them.
[[nodiscard]] document::Document simulate_document(const study::SimulateResult& result);

}  // namespace alembert::report
