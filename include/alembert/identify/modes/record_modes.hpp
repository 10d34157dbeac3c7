#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/frf_modes.hpp"

/// Modes from records of forces and responses: hammer or shaker.
///
/// FRFs by averaged spectra choose the modes; their poles are then refined on the records
/// themselves, where neither windows nor leakage change the damping:
///
///   x_r(k+1) = z_r x_r(k) + l_rᵀ u(k),   x_r(0) = ξ_r,   y(k) = Σ Re φ_r x_r(k) + D u(k) + y0,
///
/// z = exp(λ step). Forces that are constant or linear between samples fit this form exactly.
namespace alembert::identify {

struct RecordModesOptions {
  std::optional<double> from_hz = {};  ///< lower end of the band; none: the first line above 0 Hz
  std::optional<double> to_hz = {};    ///< upper end; none: 0.8 of half the sampling rate
  signal::FrfOptions frf = {};
  FrfModesOptions modes = {};
  bool refine = true;  ///< fit the records in time after the FRFs
  int blocks = 30;     ///< of the records, for the deviations
};

struct RecordModes : Outcome {
  std::vector<Mode> modes;  ///< as refined, or as the FRFs give them
  FrfModes frf;             ///< choice, diagram, modal model
  signal::FrfResult measured;
  bool refined = false;
  std::vector<OutputFit> outputs;     ///< of the refinement
  int iterations = 0;                 ///< of the refinement
  std::vector<std::string> warnings;  ///< why a refinement was not taken, and the like
  Verdict verdict;
};

/// Deviations come from scores of blocks of the records, since residuals are seldom white:
///   P = (JᵀJ)⁻¹ (Σ_b g_b g_bᵀ) (JᵀJ)⁻¹,  g_b = J_bᵀ e_b.
/// @throws InvalidInput if sizes disagree, the band holds too few lines, or a sample is infinite.
[[nodiscard]] RecordModes identify_record_modes(const std::vector<signal::InputOutput>& experiments,
                                                double step,
                                                const RecordModesOptions& options = {});

}  // namespace alembert::identify
