#pragma once

#include <cstddef>

#include "model/equations/simulation/engine_content.hpp"

namespace alembert::model::equations {

/// What the interpreted loops over a record share: inputs, outputs, and rows of sensitivities in
/// the order of operations of the generated C.
class InterpretedLoop {
 protected:
  InterpretedLoop(const CompiledEquations::Content& content, const RecordView& record,
                  const SensitivityView* view, double* registers);

  [[nodiscard]] double sample_time(long sample) const {
    return record_.start_time + static_cast<double>(sample) * record_.step;
  }
  /// Finds the inputs of a sample for the functions below.
  void begin_sample(long sample);
  /// Writes y, x and their sensitivities at the sample; sets its inputs.
  void output(long sample, double t, const double* x, double* y, double* xs);
  /// Sets the inputs at substep j + half/2.
  void set_inputs(long j, int half);
  void set_point(double t, const double* x);
  /// Runs a tape at the point that was set.
  void evaluate(const Tape& tape) { equations::run(tape, program_.graph.curves(), r_); }
  /// D = J_x S + J_θ with `count` columns, for the tape that ran last.
  void rows(const Tape& tape, const double* s, std::size_t count, double* d) const;

  const Program& program_;
  const TapeSet& tapes_;
  const RecordView& record_;
  const SensitivityView* view_;
  double* r_;
  std::size_t nx_, nu_, ny_;

 private:
  const double* sample_inputs_ = nullptr;
};

}  // namespace alembert::model::equations
