#pragma once

#include "model/equations/simulation/record_writer.hpp"

namespace alembert::model::equations {

/// Whether the program has a method for stiff models.
[[nodiscard]] bool has_stiff_method();

/// A record by backward differentiation formulas of orders 1 to 5 (SUNDIALS CVODES) with the exact
/// Jacobian; sensitivities staggered and under error control.
///
/// Returns the number of samples that were reached with finite states. Where held inputs jump the
/// method starts anew; it never steps across a sample of a model with inputs.
/// @throws InvalidInput if the program was built without SUNDIALS.
long stiff_record(const Program& program, PointEvaluator& point, const double* parameters,
                  const RecordView& record, const AdaptiveSteps& steps, const SensitivityView* view,
                  const RecordResults& results, const double* x0);

}  // namespace alembert::model::equations
