#pragma once

#include <optional>

#include "model/equations/simulation/dormand_prince.hpp"
#include "model/equations/simulation/record_writer.hpp"
#include "model/equations/simulation/switching.hpp"

namespace alembert::model::equations {

/// Room that AdaptiveRecord needs besides that of the sensitivities.
[[nodiscard]] std::size_t adaptive_room(const Program& program);

/// A record by Dormand-Prince 5(4) with steps chosen by the error estimate of the states.
///
/// A model with inputs never steps across a sample, where the inputs may have kinks; without
/// inputs the samples are read from the continuous extension.
class AdaptiveRecord final : Flow, InputsAt {
 public:
  AdaptiveRecord(const Program& program, PointEvaluator& point, const RecordView& record,
                 const AdaptiveSteps& steps, const SensitivityView* view,
                 const RecordResults& results, double* work);

  /// Ends steps at the kinks of the model. A step in which a held kink gives no numbers (a root or
  /// power beyond its zero) is done without holding any.
  void find_kinks(const FrozenModel& frozen, double* registers, double* work);

  /// Returns the number of samples that were reached with finite states.
  long run(const double* x0);

 private:
  void derivative(double t, const double* x, const double* s, double* dx, double* ds) override;
  [[nodiscard]] double sample_time(long sample) const;
  const double* inputs_at(double t) override;
  bool write_until(double end, double h);
  [[nodiscard]] double scale(std::size_t i, double a, double b) const;
  [[nodiscard]] double error() const;
  [[nodiscard]] double first_step();
  bool advance();
  [[nodiscard]] double least_step(double end) const;
  [[nodiscard]] double trial(double h);
  bool finish_step(double h, double end, bool cut);
  void resize(double h, double error, bool cut);
  void next_interval();

  PointEvaluator& point_;
  const RecordView& record_;
  const AdaptiveSteps& steps_;
  const SensitivityView* view_;
  RecordInputs inputs_;
  RecordWriter writer_;
  std::size_t nx_;
  double* u_;      // inputs at the point
  double* x_out_;  // states at a sample
  double* s_out_;  // sensitivities there; null without
  DormandPrince solver_;
  std::optional<Switching> switching_;
  bool held_ = false;  // the kinks in the present step
  double t_ = 0.0;
  double h_ = 0.0;
  double last_error_ = 1e-4;
  bool rejected_ = false;
  long interval_ = 0;  // the sample before t
  std::size_t count_ = 0;
};

}  // namespace alembert::model::equations
