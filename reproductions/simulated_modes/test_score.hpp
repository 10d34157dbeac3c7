#pragma once

#include <vector>

#include "alembert/identify/modes/mode_set.hpp"
#include "reproductions/simulated_modes/modal_test.hpp"

namespace alembert::reproductions::simulated_modes {

/// A reported mode beside the one that is there.
struct ModePair {
  double frequency_error = 0.0;  ///< relative
  double damping_error = 0.0;    ///< relative; NaN if the damping was called not known
  double frequency_ratio = 0.0;  ///< error over reported deviation
  double damping_ratio = 0.0;    ///< error over reported deviation
  double mac_error = 0.0;        ///< 1 - MAC
  double mac_expected = 0.0;     ///< 1 - MAC by the reported deviations of the shape; NaN: none
};

/// What became of one test.
struct TestScore {
  bool finished = false;
  int clear = 0, found = 0;  ///< modes that the record can tell, and those of them that were found
  int reported = 0, wrong = 0;
  int wrong_good = 0;  ///< reported modes that are none, in a report without any doubt
  std::vector<ModePair> pairs;
};

/// Identifies the modes with the defaults of the library, the band alone given, and pairs them with
/// those that are there: nearest poles first, within the larger of 0.5 % and the damping, MAC above
/// 0.5.
[[nodiscard]] TestScore score_test(TestKind kind, double decibel, std::uint64_t seed);

/// Pairs and counts. @param good the verdict of the report.
[[nodiscard]] TestScore score_modes(const ModalTest& test, const std::vector<identify::Mode>& modes,
                                    bool good);

}  // namespace alembert::reproductions::simulated_modes
