#pragma once

#include <cstddef>

#include "alembert/integrate/ode/runge_kutta4.hpp"
#include "alembert/integrate/ode/system.hpp"
#include "alembert/model/detail/equation_record.hpp"

namespace alembert::integrate {

/// The inputs of a record at any time.
///
/// Rows for half substeps are joined by polynomials through those of one sample, at most 9 at a
/// time: exact for cubic splines with knots at the samples and two or more substeps.
class RecordInputs final : public ode::Inputs {
 public:
  /// @param work room for room(count) numbers.
  RecordInputs(const model::equations::RecordView& record, std::size_t count, double* work)
      : record_(record), count_(count), u_(work) {}

  [[nodiscard]] static std::size_t room(std::size_t count) { return 3 * count; }

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Inputs at the sample.
  [[nodiscard]] const double* at_sample(long sample) const;
  /// Inputs at the begin, in the middle and at the end of substep j behind a sample.
  [[nodiscard]] ode::StepInputs of_step(long sample, long j);

  [[nodiscard]] const double* at(long interval, double t) override;
  [[nodiscard]] const double* before_jump(long interval) override;

 private:
  [[nodiscard]] const double* at_half(long sample, long j, int half);
  void interpolate(const double* first, double place) const;

  const model::equations::RecordView& record_;
  std::size_t count_;
  double* u_;
};

}  // namespace alembert::integrate
