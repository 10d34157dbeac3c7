#pragma once

#include "alembert/report/document.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::report {

/// The model: definiteness, matrices, modes, mode shapes and frequency responses.
Section model_section(const study::SimulateResult& result);

}  // namespace alembert::report
