#pragma once

#include <optional>
#include <vector>

#include "alembert/identify/acceleration_refine.hpp"

namespace alembert::identify {

/// The parameters with which `larger` equals `smaller` at its optimum: those of the same name keep
/// their value, the others are 0. None if `larger` lacks one, if a bound or a fixed value forbids
/// it, or if its motion from the start of that optimum differs after all.
[[nodiscard]] std::optional<Eigen::VectorXd> as_smaller(
    const EquationOfMotion& larger, const std::vector<optimize::Parameter>& entries,
    const EquationOfMotion& smaller, const RefinedEquation& optimum,
    const AccelerationRecord& record);

/// An equation that contains another one can do all that the other does, so that it never fits
/// worse: where it does, it is fitted once more from the optimum of the other, and the better fit
/// is kept. Fills `contains` and `over_smaller` of the scores. Fits that leave out different
/// samples (next to jumps) are not compared.
/// @param options of each candidate, or one for all.
void keep_nested_order(const std::vector<EquationCandidate>& candidates,
                       const AccelerationRecord& record,
                       const std::vector<EquationRefineOptions>& options,
                       std::vector<EquationScore>& scores);

}  // namespace alembert::identify
