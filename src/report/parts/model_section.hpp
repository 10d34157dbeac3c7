#pragma once

#include <string>

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Units of the three matrices where all coordinates share one and the inputs are forces on them,
/// "" elsewhere.
struct MatrixUnits {
  std::string mass, damping, stiffness;
};
[[nodiscard]] MatrixUnits matrix_units(const study::LinearModel& model);

/// The model: definiteness, matrices, modes, mode shapes and frequency responses.
/// @param tree the result as describe() has it.
Section model_section(const study::SimulateResult& result, const document::ResultTree& tree);

}  // namespace alembert::report
