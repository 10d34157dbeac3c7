#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// The last steps of a run by their numbers 0, 1, 2, ...; allocates in its constructor only.
template <typename Step>
class StepRing {
 public:
  /// @param depth steps kept, >= 1. @param step what each place holds at first.
  StepRing(int depth, const Step& step) : steps_(static_cast<std::size_t>(depth), step) {}

  /// The place of a new step, which has the number total() - 1 then; it still holds an old one.
  Step& next() noexcept { return at(total_++); }
  /// The step of a number in [oldest(), total()).
  Step& at(long number) noexcept {
    return steps_[static_cast<std::size_t>(number) % steps_.size()];
  }
  [[nodiscard]] long total() const noexcept { return total_; }
  [[nodiscard]] long oldest() const noexcept {
    const long depth = static_cast<long>(steps_.size());
    return total_ > depth ? total_ - depth : 0;
  }
  /// Whether the next step takes the place of the oldest.
  [[nodiscard]] bool full() const noexcept { return total_ >= static_cast<long>(steps_.size()); }
  [[nodiscard]] bool holds(long number) const noexcept {
    return number >= oldest() && number < total_;
  }

 private:
  std::vector<Step> steps_;
  long total_ = 0;
};

/// Copies what is not NaN.
template <typename From, typename To>
void merge_readings(const From& from, To& to) noexcept {
  for (int i = 0; i < from.size(); ++i) {
    if (!std::isnan(from(i))) to(i) = from(i);
  }
}

/// A filter that takes measurements late: it keeps the last `depth` steps and, when a measurement
/// of one of them arrives, runs again from there. The result is that of the measurements in their
/// order. Time is bounded by `depth` steps; no allocation and no exception after construction.
///
/// Each sensor is some outputs of the model's output vector, so sensors of different rates, phases
/// and delays fill different entries of different steps, NaN where nothing is known yet.
template <typename Filter>
class DelayedFilter {
 public:
  using Scalar = typename Filter::Scalar;
  using Input = typename Filter::Input;
  using Output = typename Filter::Output;
  using ProcessNoise = typename Filter::ProcessNoise;
  using OutputNoise = typename Filter::OutputNoise;

  /// @param q, r sizes and first values of the noises; step() may change them.
  /// @throws InvalidInput unless depth >= 1.
  DelayedFilter(Filter filter, int depth, const Input& u, const ProcessNoise& q,
                const OutputNoise& r)
      : filter_(std::move(filter)),
        steps_(checked(depth), Step{filter_.belief(), u, u, q, r, nothing()}) {}

  /// Predicts with u, Q and updates with z, R, where `at` is the output's input. The step gets the
  /// number steps() - 1.
  UpdateReport step(const Input& u, const ProcessNoise& q, const Input& at, const Output& z,
                    const OutputNoise& r) noexcept {
    Step& now = steps_.next();
    now.before = filter_.belief();
    now.u = u;
    now.at = at;
    now.q = q;
    now.r = r;
    now.z = z;
    return run(now);
  }
  UpdateReport step(const Input& u, const ProcessNoise& q, const Output& z,
                    const OutputNoise& r) noexcept {
    return step(u, q, u, z, r);
  }

  /// Adds the outputs of z that are not NaN to an earlier step and runs again from there.
  /// @return the report of the present step, or of the first that failed; Stopped and no change if
  /// `number` is too old or unknown.
  UpdateReport insert(long number, const Output& z) noexcept {
    UpdateReport report;
    if (!steps_.holds(number)) {
      report.status = Status::Stopped;
      return report;
    }
    Step& first = steps_.at(number);
    merge_readings(z, first.z);
    filter_.set_belief(first.before);
    Status failure = Status::Success;
    for (long k = number; k < steps(); ++k) {
      steps_.at(k).before = filter_.belief();
      report = run(steps_.at(k));
      if (failure == Status::Success) failure = report.status;
    }
    report.status = failure;
    return report;
  }

  /// Steps so far, and the oldest that can still be reached.
  [[nodiscard]] long steps() const noexcept { return steps_.total(); }
  [[nodiscard]] long oldest() const noexcept { return steps_.oldest(); }
  [[nodiscard]] const Filter& filter() const noexcept { return filter_; }

 private:
  struct Step {
    Belief<Scalar, Filter::kN> before;
    Input u, at;
    ProcessNoise q;
    OutputNoise r;
    Output z;
  };

  static int checked(int depth) {
    if (depth < 1) {
      throw InvalidInput(
          {.function = "DelayedFilter", .argument = "depth", .rule = "must be >= 1"});
    }
    return depth;
  }

  [[nodiscard]] Output nothing() const {
    return Output::Constant(outputs_of(filter_.model()), std::numeric_limits<Scalar>::quiet_NaN());
  }

  UpdateReport run(const Step& step) noexcept {
    const Status status = filter_.predict(step.u, step.q);
    if (status != Status::Success) {
      UpdateReport report;
      report.status = status;
      return report;
    }
    return filter_.update(step.at, step.z, step.r);
  }

  Filter filter_;
  StepRing<Step> steps_;
};

}  // namespace alembert::estimate
