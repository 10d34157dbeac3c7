#pragma once

#include <cstddef>

#include "model/equations/simulation/engine_content.hpp"

namespace alembert::model::equations {

/// The inputs of a record at any time.
///
/// Rows for half substeps are joined by polynomials through those of one sample, at most 9 at a
/// time: exact for cubic splines with knots at the samples and two or more substeps.
class RecordInputs {
 public:
  RecordInputs(const RecordView& record, std::size_t count) : record_(record), count_(count) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Inputs at the sample.
  [[nodiscard]] const double* at_sample(long sample) const;
  /// Inputs at the time t_sample + fraction·step, 0 ≤ fraction ≤ 1.
  void at(long sample, double fraction, double* u) const;

 private:
  void interpolate(const double* first, double place, double* u) const;

  const RecordView& record_;
  std::size_t count_;
};

}  // namespace alembert::model::equations
