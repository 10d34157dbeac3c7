#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The sensors: noise in figures, records over the true signals, spectra.
/// @param tree the result as describe() has it.
Section sensor_section(const study::SimulateResult& result, const document::ResultTree& tree);

}  // namespace alembert::report
