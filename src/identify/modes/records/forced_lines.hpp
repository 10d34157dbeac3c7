#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/modes/records/band_rows.hpp"
#include "identify/modes/records/forced_signals.hpp"

namespace alembert::identify::modes {

/// What the lines of ForcedSignals have in common for all modes.
struct BandSpectra {
  BandRows band;
  std::vector<Eigen::MatrixXcd> inputs;  ///< of each experiment, lines x inputs
  Eigen::MatrixXd fixed;                 ///< rows of direct terms, edges and outputs
};

/// Transforms of what does not depend on the poles.
[[nodiscard]] BandSpectra band_spectra(const std::vector<signal::InputOutput>& experiments,
                                       double step, BandRows band, StartStates starts);

}  // namespace alembert::identify::modes
