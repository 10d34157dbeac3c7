// Built in place of stiff_record.cpp where SUNDIALS is not installed.
#include "model/equations/simulation/stiff_record.hpp"

namespace alembert::model::equations {

bool has_stiff_method() { return false; }

long stiff_record(const Program&, PointEvaluator&, const double*, const RecordView&,
                  const AdaptiveSteps&, const SensitivityView*, const RecordResults&,
                  const double*) {
  throw InvalidInput({.function = "EquationEvaluator::simulate",
                      .rule = "method = Stiff needs SUNDIALS (Debian: libsundials-dev), and this "
                              "program was built without it"});
}

}  // namespace alembert::model::equations
