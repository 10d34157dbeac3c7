#include "integrate/equations/fixed_steps.hpp"

namespace alembert::integrate {

namespace {

using model::equations::RecordView;

double time_of_sample(const RecordView& record, long sample) {
  return record.start_time + static_cast<double>(sample) * record.step;
}

double length_of_step(const RecordView& record) {
  return record.step / static_cast<double>(record.substeps);
}

}  // namespace

long run_fixed_steps(ode::RungeKutta4& method, const RecordView& record, RecordInputs& inputs,
                     RecordWriter& writer) {
  const double h = length_of_step(record);
  for (long k = 0; k < record.samples; ++k) {
    const double tk = time_of_sample(record, k);
    if (!writer.write(k, tk, method.state(), method.sensitivities())) return k;
    for (long j = 0; k + 1 < record.samples && j < record.substeps; ++j) {
      method.step(tk + static_cast<double>(j) * h, h, inputs.of_step(k, j));
    }
  }
  return record.samples;
}

long run_fixed_steps(ode::Newmark& method, const RecordView& record, RecordInputs& inputs,
                     RecordWriter& writer) {
  const double h = length_of_step(record);
  for (long k = 0; k < record.samples; ++k) {
    const double tk = time_of_sample(record, k);
    if (!writer.write(k, tk, method.state(), method.sensitivities())) return k;
    if (k + 1 == record.samples) break;
    if (k == 0 || record.between == 0) method.start(tk, h, inputs.at_sample(k));
    for (long j = 0; j < record.substeps; ++j) {
      const double t = tk + static_cast<double>(j + 1) * h;
      if (!method.step(t, inputs.of_step(k, j).end, record.tolerance)) break;
    }
  }
  return record.samples;
}

}  // namespace alembert::integrate
