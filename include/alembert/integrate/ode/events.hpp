#pragma once

#include <functional>
#include <vector>

#include "alembert/integrate/ode/dormand_prince.hpp"
#include "alembert/integrate/ode/system.hpp"

namespace alembert::integrate::ode {

/// What an adaptive run does about events, at which its steps end.
class Events {
 public:
  virtual ~Events() = default;
  /// The right-hand side between events: one that is smooth beyond the next event too.
  [[nodiscard]] virtual System& held() = 0;
  /// Begins at these states. Where something is undecided, the states a short time later count.
  virtual void start(double t, const double* x, double later, const PresentInputs& inputs) = 0;
  /// The inputs have jumped from those given.
  virtual void inputs_jumped(double t, const double* x, const double* before,
                             const PresentInputs& inputs) = 0;
  /// The first place in (0, 1] of the step from t to t + h at which an event lies, or 2.
  [[nodiscard]] virtual double first(const DormandPrince& step, double t, double h,
                                     const PresentInputs& inputs) = 0;
  /// Acts on the event at t, which a step of length h found: may change x and s (null without).
  /// @return false to end the run.
  virtual bool cross(double t, double h, double* x, double* s, const PresentInputs& inputs) = 0;
};

/// The first place in (0, 1] of a step at which happened(t, x) holds, by quarters of the step and
/// bisection on its continuous extension; 2 if there is none.
/// @param x room for the states.
[[nodiscard]] double first_place(const DormandPrince& step, double t, double h, double* x,
                                 const std::function<bool(double t, const double* x)>& happened);

/// An event where a function of time and states changes its sign.
struct EventFunction {
  std::function<double(double t, const double* x)> value;
  /// Called there: may change the states (a ball that bounces). Ends the run if it returns false.
  /// Empty: the event is only noted.
  std::function<bool(double t, double* x)> action = {};
  /// +1: only where the value rises, -1: only where it falls, 0: both.
  int direction = 0;
};

/// Where an event was found.
struct EventTime {
  std::size_t event = 0;  ///< index of its function
  double time = 0.0;      ///< s
};

/// Events of a smooth system, for users' own functions. Sensitivities are carried through without
/// change: actions must not depend on what they are taken with respect to.
class FunctionEvents final : public Events {
 public:
  /// The system must outlive it.
  FunctionEvents(System& system, std::vector<EventFunction> functions);

  /// All events so far.
  [[nodiscard]] const std::vector<EventTime>& found() const { return found_; }

  [[nodiscard]] System& held() override { return system_; }
  void start(double t, const double* x, double later, const PresentInputs& inputs) override;
  void inputs_jumped(double, const double*, const double*, const PresentInputs&) override {}
  [[nodiscard]] double first(const DormandPrince& step, double t, double h,
                             const PresentInputs& inputs) override;
  bool cross(double t, double h, double* x, double* s, const PresentInputs& inputs) override;

 private:
  [[nodiscard]] bool happened(std::size_t k, double t, const double* x) const;

  System& system_;
  std::vector<EventFunction> functions_;
  std::vector<double> sides_;  // signs before the event
  std::vector<double> x_, dx_;
  std::vector<EventTime> found_;
};

}  // namespace alembert::integrate::ode
