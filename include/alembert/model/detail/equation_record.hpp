#pragma once

namespace alembert::model::equations {

/// A record's data in the form that loops over it use; the same layout as in the generated C.
struct RecordView {
  long samples = 0;
  long substeps = 1;
  double start_time = 0.0;
  double step = 1.0;
  int between = 0;  ///< 0 held, 1 linear, 2 one row for each half substep
  const double* inputs = nullptr;
  double tolerance = 1e-4;  ///< of Newton's method
};

/// Sensitivities in the form that the loops use: rows of `stride` numbers of which `count` count.
struct SensitivityView {
  long count = 0;
  long stride = 0;
  const int* column_of_parameter = nullptr;
  double* work = nullptr;  ///< room for the copies of S that a method needs; S comes first
  double* outputs = nullptr;
  double* states = nullptr;  ///< may be null
};

}  // namespace alembert::model::equations
