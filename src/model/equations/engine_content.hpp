#pragma once

#include <memory>
#include <string>

#include "alembert/model/equation_engine.hpp"
#include "model/equations/native_library.hpp"
#include "model/equations/tape.hpp"

namespace alembert::model {

struct CompiledEquations::Content {
  EquationModel model;
  equations::TapeSet tapes;
  std::unique_ptr<const equations::NativeLibrary> native;  ///< null: interpreter
  std::string note;
};

namespace equations {

/// Room that the stages of a simulation need, besides what the sensitivities need.
[[nodiscard]] std::size_t stage_room(const Program& program);

/// A record's data in the form that the loops use; the same layout as in the generated C.
struct RecordView {
  long samples = 0;
  long substeps = 1;
  double start_time = 0.0;
  double step = 1.0;
  int between = 0;
  const double* inputs = nullptr;
};

/// Sensitivities in the form that the loops use: rows of `stride` numbers of which `count` count.
struct SensitivityView {
  long count = 0;
  long stride = 0;
  const int* column_of_parameter = nullptr;
  double* work = nullptr;  ///< 6 · states · stride numbers; the first sixth is S at the start
  double* outputs = nullptr;
  double* states = nullptr;  ///< may be null
};

/// Interpreted simulation; returns the number of samples with finite states. `view` may be null.
long simulate_record(const CompiledEquations::Content& content, const RecordView& record,
                     const double* x0, double* y, double* xs, const SensitivityView* view,
                     double* registers, double* work);

}  // namespace equations
}  // namespace alembert::model
