#pragma once

#include <Eigen/Core>

#include "alembert/identify/modes/decay_modes.hpp"

namespace alembert::identify::modes {

/// Rows of a record that belong to its decay.
struct DecayRows {
  Eigen::Index peak = 0;   ///< largest sample
  Eigen::Index first = 0;  ///< of the decay
  Eigen::Index count = 0;
};

/// Finds the decay of a standardised record: it begins `start` after the largest sample, or two
/// periods of the lowest frequency later, and ends after `length`, or where the rms over two
/// periods has fallen to a tenth.
[[nodiscard]] DecayRows find_decay(const Eigen::MatrixXd& record, double step,
                                   const DecayOptions& options);

/// The lowest frequency with a peak of the spectrum above 1 % of the highest one; 0 if none.
[[nodiscard]] double lowest_frequency(const Eigen::MatrixXd& samples, double step, double from_hz);

}  // namespace alembert::identify::modes
