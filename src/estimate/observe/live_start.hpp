#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "alembert/estimate/live_observer.hpp"

namespace alembert::estimate {

/// Rows of readings one after the other in one piece of memory, which is kept.
class LiveRows {
 public:
  explicit LiveRows(std::size_t sensors) : sensors_(sensors) {}

  void add(double time, std::span<const double> readings) {
    times_.push_back(time);
    values_.insert(values_.end(), readings.begin(), readings.end());
  }
  /// Forgets the first rows.
  void drop(std::size_t count);
  void clear() { times_.clear(), values_.clear(); }
  [[nodiscard]] std::size_t size() const { return times_.size(); }
  [[nodiscard]] double time(std::size_t row) const { return times_[row]; }
  [[nodiscard]] std::span<const double> readings(std::size_t row) const {
    return {values_.data() + row * sensors_, sensors_};
  }

 private:
  std::size_t sensors_;
  std::vector<double> times_, values_;
};

/// Tells from the first rows of a stream where the motion begins, as at the start of a record.
class LiveStart {
 public:
  LiveStart(const model::planar::Mechanism& mechanism, const GivenStart& given,
            const std::vector<double>& delays);

  void take(double time, std::span<const double> readings);
  /// Nothing more has to be waited for.
  [[nodiscard]] bool ready() const;
  /// The estimation can begin, if need be with velocities that are not known.
  [[nodiscard]] bool possible() const;

  /// Sets what is not given of the start. Needs possible(). @return its instant in s.
  double begin(const model::planar::Mechanism& mechanism, const GivenStart& given,
               ObserverStart& start) const;
  /// All rows that are kept; those from the instant of the start on are to be taken.
  [[nodiscard]] LiveRows& rows() { return rows_; }

 private:
  [[nodiscard]] bool each_coordinate_has(int readings) const;

  std::vector<double> delays_;                     // of the sensors
  std::vector<std::vector<std::size_t>> read_by_;  // the sensors of each coordinate
  bool needs_positions_, needs_velocities_;
  std::vector<int> counts_;  // readings of each sensor
  LiveRows rows_;
  std::size_t rows_since_possible_ = 0;
};

}  // namespace alembert::estimate
