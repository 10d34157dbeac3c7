#pragma once

#include <optional>
#include <span>

#include "alembert/integrate/ode/dormand_prince.hpp"
#include "alembert/integrate/ode/events.hpp"

namespace alembert::integrate::ode {

/// The relative tolerances that the methods take unless told.
inline constexpr double kDormandPrinceTolerance = 1e-8;
inline constexpr double kStiffTolerance = 1e-10;

/// Steps that a method chooses itself.
struct AdaptiveSteps {
  /// The estimated error of a step stays below absolute·scale + relative·|x| (rms over the states).
  /// Nothing: 1e-8 for Dormand-Prince, and 1e-10 for backward differentiation formulas, whose many
  /// steps add up to errors of some 100 times the tolerance.
  std::optional<double> relative_tolerance = {};
  double absolute_tolerance = 1e-12;
  std::span<const double> scales{};  ///< sizes of the states, positive; empty: 1 for all
  double largest_step = 0.0;         ///< s; 0 for no limit
  /// Steps, besides one for each sample, after which the run ends where it is.
  std::size_t max_steps = 1000000;
};

/// A run by Dormand-Prince 5(4) with steps chosen by the error estimate of the states.
///
/// With inputs it never steps across a sample, where the inputs may have kinks; without, samples
/// are read from the continuous extension. Runs do not allocate.
class AdaptiveRun {
 public:
  /// All arguments must outlive it.
  /// @param inputs null for a system without.
  /// @param work work_room(states) numbers, @param sensitivity_work sensitivity_room(n·stride), of
  ///   which the first n·stride are S at the start.
  AdaptiveRun(System& system, Inputs* inputs, const SampleTimes& times, const AdaptiveSteps& steps,
              Samples& samples, double* work, double* sensitivity_work);

  [[nodiscard]] static std::size_t work_room(std::size_t states) {
    return states + DormandPrince::room(states);
  }
  [[nodiscard]] static std::size_t sensitivity_room(std::size_t size) {
    return size + DormandPrince::room(size);
  }

  /// Ends steps at events. A step in which the held system gives no numbers is done with the system
  /// itself.
  void watch(Events& events) { events_ = &events; }

  /// Returns the number of samples that were reached; fewer than wanted if the steps become too
  /// small or too many, or if Samples or Events end the run.
  long run(const double* x0);
  /// Whether an event ended the run.
  [[nodiscard]] bool ended_by_event() const { return ended_by_event_; }

 private:
  [[nodiscard]] PresentInputs present() const { return {inputs_, interval_}; }
  bool write(double t, const double* x, const double* s);
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

  System& system_;
  Inputs* inputs_;
  SampleTimes times_;
  const AdaptiveSteps& steps_;
  Samples& samples_;
  std::size_t nx_;
  double* x_out_;  // states at a sample
  double* s_out_;  // sensitivities there; null without
  DormandPrince solver_;
  Events* events_ = nullptr;
  bool held_ = false;  // the present step is that of the held system
  double t_ = 0.0;
  double h_ = 0.0;
  double last_error_ = 1e-4;
  bool rejected_ = false;
  bool ended_by_event_ = false;
  long interval_ = 0;  // the sample before t
  long next_ = 0;      // the sample to come
  std::size_t count_ = 0;
};

}  // namespace alembert::integrate::ode
