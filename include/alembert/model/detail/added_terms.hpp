#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "alembert/model/equations.hpp"

/// Equations with further terms, for tests of what a model has not.
namespace alembert::model {

/// A function φ of one state or input.
enum class TermForm {
  Constant,    ///< 1
  Linear,      ///< z
  Square,      ///< z²
  Cube,        ///< z³
  Drag,        ///< z |z|
  SmoothSign,  ///< z/√(z² + w²)
};

/// A term that is added to the right-hand side of a state with a coefficient of its own.
struct AddedTerm {
  std::size_t equation = 0;  ///< the state whose derivative gets it
  TermForm form = TermForm::Constant;
  bool of_input = false;     ///< z is an input, else a state
  std::size_t argument = 0;  ///< its place
  double width = 0.0;        ///< w of SmoothSign, above 0
};

/// The model with x_k' = f_k + Σ q_j φ_j; the coefficients q are its last parameters.
/// @throws InvalidInput if the model grows beyond its limits.
[[nodiscard]] EquationModel with_terms(const EquationModel& model,
                                       const std::vector<AddedTerm>& terms);

/// The state that is the derivative of a state and nothing else, as v in x' = v.
[[nodiscard]] std::optional<std::size_t> velocity_of(const EquationModel& model, std::size_t state);

/// φ as text in the language of equations, as "smooth_sign(v, 0.01)".
[[nodiscard]] std::string term_text(const EquationModel& model, const AddedTerm& term);
/// The same with a name for its argument.
[[nodiscard]] std::string term_text(const AddedTerm& term, const std::string& argument);

/// φ at a value of its argument.
[[nodiscard]] double term_value(const AddedTerm& term, double argument);

}  // namespace alembert::model
