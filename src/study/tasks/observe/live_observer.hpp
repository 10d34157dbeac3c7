#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "alembert/study/observe.hpp"

namespace alembert::study {

/// An observer that takes the rows of a stream: readings of sensors with a delay go to their
/// instants, also between rows, and the steps since are computed again.
class LiveObserver {
 public:
  /// @param begin instant of the start in s.
  /// @throws InvalidInput as the observer.
  LiveObserver(const ObserveStudy& study, double begin);

  /// Takes a row; its time is that of the estimate then. Returns what became of its readings
  /// without delay, and the first failure.
  estimate::ObserverStep take(double time, const std::vector<double>& readings);

  [[nodiscard]] const estimate::KinematicObserver& observer() const { return observer_; }
  [[nodiscard]] int used() const { return used_; }  ///< readings that entered with the last row
  [[nodiscard]] std::size_t rejected() const { return rejected_; }  ///< readings, by the gate
  [[nodiscard]] std::size_t widened() const { return widened_; }    ///< times it was opened
  [[nodiscard]] std::size_t lost() const { return lost_; }          ///< readings that came too late

 private:
  struct Stamped {
    double instant;
    double value;
  };

  void queue_late(double time, const std::vector<double>& readings);
  [[nodiscard]] bool next_late(double time, double& instant);
  void count(const estimate::ObserverStep& step);

  std::vector<double> delays_;  // of the sensors
  estimate::KinematicObserver observer_;
  double begin_, time_;
  std::vector<std::deque<Stamped>> waiting_;  // readings of each sensor that are not taken yet
  std::vector<double> prompt_, late_;
  int used_ = 0;
  std::size_t rejected_ = 0, widened_ = 0, lost_ = 0;
};

}  // namespace alembert::study
