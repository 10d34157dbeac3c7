#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The inputs: where each comes from, its size, and all of them over time.
/// @param tree the result as describe() has it.
Section input_section(const study::SimulateResult& result, const document::ResultTree& tree);

}  // namespace alembert::report
