#pragma once

#include <cstddef>

#include "model/equations/interpreter/point_evaluator.hpp"
#include "model/equations/simulation/record_inputs.hpp"

namespace alembert::model::equations {

/// Where the results of a record go.
struct RecordResults {
  double* y = nullptr;
  double* xs = nullptr;  ///< may be null
};

/// Writes outputs, states and their sensitivities, sample by sample.
class RecordWriter {
 public:
  RecordWriter(const Program& program, PointEvaluator& point, const RecordInputs& inputs,
               const SensitivityView* view, const RecordResults& results)
      : point_(point),
        inputs_(inputs),
        view_(view),
        results_(results),
        nx_(program.states.size()),
        ny_(program.outputs.size()) {}

  /// The sample to come.
  [[nodiscard]] long next() const { return next_; }
  /// Writes the next sample from x and S (rows of stride numbers); false if x is not finite.
  bool write(double t, const double* x, const double* s);

 private:
  PointEvaluator& point_;
  const RecordInputs& inputs_;
  const SensitivityView* view_;
  RecordResults results_;
  std::size_t nx_, ny_;
  long next_ = 0;
};

}  // namespace alembert::model::equations
