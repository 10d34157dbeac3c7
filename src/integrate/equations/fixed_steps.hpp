#pragma once

#include "alembert/integrate/ode/newmark.hpp"
#include "alembert/integrate/ode/runge_kutta4.hpp"
#include "integrate/equations/record_inputs.hpp"
#include "integrate/equations/record_writer.hpp"

namespace alembert::integrate {

/// A record by steps of equal length, whose states the method holds already. Returns the number of
/// samples with finite states.
long run_fixed_steps(ode::RungeKutta4& method, const model::equations::RecordView& record,
                     RecordInputs& inputs, RecordWriter& writer);
long run_fixed_steps(ode::Newmark& method, const model::equations::RecordView& record,
                     RecordInputs& inputs, RecordWriter& writer);

}  // namespace alembert::integrate
