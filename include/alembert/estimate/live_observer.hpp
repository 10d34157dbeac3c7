#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "alembert/estimate/start_from_readings.hpp"
#include "alembert/estimate/watch/observer_watch.hpp"

namespace alembert::estimate {

/// How a LiveObserver works.
struct LiveOptions : KinematicObserverOptions {
  GivenStart given = {};  ///< what of `start` is given; the rest comes from the first readings
  /// Of each sensor in s, how long after its instant a reading comes; empty: none is late.
  std::vector<double> delays = {};
  /// Alarms, from the 100th row on; readings with delay are not watched.
  std::vector<WatchedSignal> watch = {};
};

/// An observer of a mechanism for readings that come row by row, in real time.
///
/// It waits for its start: 64 readings of every coordinate give position, velocity and
/// acceleration, as at the start of a record (or what there is when 1000 rows have passed since all
/// coordinates were read); one is enough where the velocities are given. Then every row has an
/// estimate, those that were waited for too. Late readings go to their instants, also between rows,
/// and the steps since are computed again.
///
///   live.push(t, readings);
///   while (live.next()) use(live.time(), live.observer().mean());
///
/// Once it has started, a row allocates nothing unless readings are late.
class LiveObserver {
 public:
  /// @throws InvalidInput unless there are no delays or one for each sensor, or if a sensor that is
  ///   watched is late.
  LiveObserver(std::shared_ptr<const model::planar::Mechanism> mechanism, LiveOptions options);
  ~LiveObserver();
  LiveObserver(LiveObserver&&) noexcept;
  LiveObserver& operator=(LiveObserver&&) noexcept;

  /// Takes a row. @param time in s when it was stamped. @param readings of every sensor, NaN: none.
  /// @throws InvalidInput for a wrong number of readings, a time that does not rise, and, at the
  /// start, as the observer.
  void push(double time, std::span<const double> readings);
  /// No rows will come: starts with those that there are. @throws InvalidInput as push().
  void finish();
  /// Goes on to the estimate of the next row; false: there is none yet.
  bool next();

  [[nodiscard]] bool started() const;
  /// The observer after the last next(). Needs started().
  [[nodiscard]] const Observer& observer() const;
  /// Of the row of the last next(): its time in s, what became of its readings without delay (and
  /// the first failure), and how many readings entered with it, late ones too.
  [[nodiscard]] double time() const;
  [[nodiscard]] const ObserverStep& step() const;
  [[nodiscard]] int used() const;

  /// What is watched, after the row of the last next(); empty before the start.
  [[nodiscard]] const std::vector<SignalWatch>& watch() const;

  [[nodiscard]] std::size_t taken() const;     ///< rows with an estimate
  [[nodiscard]] std::size_t rejected() const;  ///< readings, by the gate
  [[nodiscard]] std::size_t widened() const;   ///< times that the gate was opened
  [[nodiscard]] std::size_t lost() const;      ///< readings that came too late
  /// What the rows so far say of the estimates, by the rules of observe(); those of the first 100
  /// rows and readings with delay are not looked at.
  [[nodiscard]] Verdict verdict() const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace alembert::estimate
