#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The sensors: noise in figures, records over the true signals, spectra.
Section sensor_section(const study::SimulateResult& result);

}  // namespace alembert::report
