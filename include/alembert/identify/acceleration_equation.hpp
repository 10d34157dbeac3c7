#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alembert/model/equations.hpp"

namespace alembert::identify {

/// What is known about the names in an equation of motion.
struct EquationOfMotionSetup {
  /// Unknowns, in the order of the results. Empty: every name that is known from nowhere else, in
  /// the order of the text.
  std::vector<std::string> parameters{};
  std::vector<std::string> inputs{};  ///< known forces, columns of AccelerationRecord::forcing
  std::vector<model::EquationConstant> constants{};
  std::vector<model::EquationTable> tables{};
};

/// An equation of motion of one coordinate, x'' = f(t, x, x', u, p).
struct EquationOfMotion {
  std::string text;           ///< as it was given
  std::string coordinate;     ///< x
  std::string explicit_text;  ///< the same as `x'' = ...`, with the definitions
  double leading = 1.0;       ///< number before x'' in the text, by which the equation was divided
  /// Whether f is a linear function of the parameter, and of all linear ones together:
  /// ∂f/∂p_j contains none of them. Of two that multiply each other the first one is linear.
  std::vector<bool> linear;
  EquationOfMotionSetup setup;  ///< with the names of the parameters filled in
  /// x'' = f with the output x'' and the start values 0.
  model::EquationModel model;

  [[nodiscard]] const std::vector<std::string>& parameters() const { return setup.parameters; }
  [[nodiscard]] bool all_linear() const;
};

/// Reads an equation of motion: definitions, and one equation with a second derivative in it.
///
/// The equation may be written `x'' = ...` or with terms on both sides, as in
/// `x'' + a*x' + b*x + c*x^3 = 0`. x'' must then enter linearly and with a number or a constant
/// before it, not with a parameter, a state or the time: the equation is divided by it. The rest is
/// the language of docs/equations.md.
/// @throws model::EquationError with the place in the text.
[[nodiscard]] EquationOfMotion read_equation_of_motion(std::string_view text,
                                                       const EquationOfMotionSetup& setup = {});

}  // namespace alembert::identify
