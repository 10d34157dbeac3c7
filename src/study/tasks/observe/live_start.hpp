#pragma once

#include <cstddef>
#include <vector>

#include "alembert/study/observe.hpp"

namespace alembert::study {

/// A row of a stream.
struct LiveRow {
  double time = 0.0;             ///< s, as stamped
  std::vector<double> readings;  ///< of every sensor, NaN: none
};

/// Gathers the first rows of a stream until they say where the motion begins: 64 readings of
/// every coordinate give position, velocity and acceleration, as at the start of a record; one is
/// enough where the study gives the velocities.
class LiveStart {
 public:
  explicit LiveStart(const ObserveStudy& study);

  void take(double time, const std::vector<double>& readings);
  /// Nothing more has to be waited for.
  [[nodiscard]] bool ready() const;
  /// The estimation can begin, if need be with velocities that are not known.
  [[nodiscard]] bool possible() const;

  /// Sets what the study does not give of the start. Needs possible(). @return its instant in s.
  double begin(ObserveStudy& study) const;
  /// All rows that are kept; those from the instant of the start on are to be taken.
  [[nodiscard]] const std::vector<LiveRow>& rows() const { return rows_; }

 private:
  [[nodiscard]] bool each_coordinate_has(int readings) const;

  std::vector<double> delays_;                     // of the sensors
  std::vector<std::vector<std::size_t>> read_by_;  // the sensors of each coordinate
  bool needs_positions_, needs_velocities_;
  std::vector<int> counts_;  // readings of each sensor
  std::vector<LiveRow> rows_;
  std::size_t rows_since_possible_ = 0;
};

}  // namespace alembert::study
