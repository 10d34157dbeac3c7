#pragma once

#include <optional>
#include <string>
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

/// A candidate that contains another one.
struct NestedPair {
  std::size_t larger = 0, smaller = 0;
  /// Residual of the larger over that of the smaller: 1 at most, but for rounding.
  double ratio = 1.0;
};

/// An equation that contains another one can do all that the other does, so that it never fits
/// worse: where it does, it is fitted once more from the optimum of the other, and the better fit
/// is kept. Fits that leave out different samples (next to jumps) are not compared.
/// @param options of each candidate, or one for all.
/// @return all pairs.
std::vector<NestedPair> keep_nested_order(const std::vector<EquationCandidate>& candidates,
                                          const AccelerationRecord& record,
                                          const std::vector<EquationRefineOptions>& options,
                                          std::vector<EquationScore>& scores);

/// What to say of pairs that are still in the wrong order.
[[nodiscard]] std::vector<std::string> nesting_warnings(
    const std::vector<EquationCandidate>& candidates, const std::vector<NestedPair>& pairs);

}  // namespace alembert::identify
