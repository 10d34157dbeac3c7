#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/toml.hpp"
#include "alembert/study/observe.hpp"

namespace alembert::reproductions::excavator {

/// An observer: a study of studies/excavator and what is changed in it.
struct ObserverCase {
  std::string name;
  std::string study;  ///< "excavator/alarm.toml"
  std::vector<study::Override> changes = {};
};

/// What an observer did on one record.
struct Errors {
  double dig_x = 0.0, dig_y = 0.0, payload = 0.0;  ///< rms, N
  double nees = 0.0;                               ///< joint, over the number of states
  bool good = false;                               ///< verdict
  double alarm = 0.0;  ///< s from the pull of 35 kN to the first alarm; NaN without one
  int early = 0;       ///< alarms that begin before the pull is there
};

/// Simulates studies/excavator/simulate.toml with a seed and observes its record.
[[nodiscard]] std::vector<Errors> errors_of(const std::vector<ObserverCase>& cases, long long seed);

}  // namespace alembert::reproductions::excavator
