#pragma once

#include <cstddef>

#include "alembert/integrate/ode/system.hpp"
#include "alembert/model/detail/equation_point.hpp"
#include "integrate/equations/record_inputs.hpp"

namespace alembert::integrate {

/// Writes outputs, states and their sensitivities, sample by sample, as long as the states are
/// finite.
class RecordWriter final : public ode::Samples {
 public:
  /// @param view null without sensitivities, @param x null if the states are not wanted.
  RecordWriter(const model::equations::EquationPoint& point, const RecordInputs& inputs,
               const model::equations::SensitivityView* view, double* y, double* x)
      : point_(point),
        inputs_(inputs),
        view_(view),
        y_(y),
        x_(x),
        nx_(point.states()),
        ny_(point.outputs()) {}

  bool write(long sample, double t, const double* x, const double* s) override;

 private:
  model::equations::EquationPoint point_;
  const RecordInputs& inputs_;
  const model::equations::SensitivityView* view_;
  double *y_, *x_;
  std::size_t nx_, ny_;
};

}  // namespace alembert::integrate
