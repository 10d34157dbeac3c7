#pragma once

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "alembert/model/equations.hpp"

namespace alembert::model {

/// A motion that is given as a formula in the time t, with its first and second derivative.
///
/// The formula is one expression of the language of docs/equations.md; it may use t (in s), pi and
/// the given constants. The derivatives are formed from the text and are exact; at kinks the rules
/// of that page hold.
class TimeFormula {
 public:
  /// @throws EquationError whose place has the file "formula", and line and column in the text; the
  ///   file "constants" or "constants.NAME" if a constant has no valid name or is not finite.
  explicit TimeFormula(std::string_view text, const std::vector<EquationConstant>& constants = {});

  /// Value, first and second derivative, one row for each time; what has no value is NaN or
  /// infinite.
  /// @param times in s.
  [[nodiscard]] Eigen::MatrixX3d sample(const Eigen::Ref<const Eigen::VectorXd>& times) const;

  /// Whether the text names a constant.
  [[nodiscard]] bool uses(std::string_view constant) const;

 private:
  EquationModel model_;  // no states; its outputs are the formula and its derivatives
};

}  // namespace alembert::model
