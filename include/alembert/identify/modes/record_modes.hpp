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
/// themselves, at all lines of the band of their transforms, where neither windows nor leakage
/// change the damping:
///
///   x_r(k+1) = z_r x_r(k) + l_rᵀ u(k),   x_r(0) = ξ_r,   y(k) = Σ Re φ_r x_r(k) + Σ_j D_j u(k+j),
///
/// z = exp(λ step). Forces that are constant or linear between samples fit this form exactly.
namespace alembert::identify {

struct RecordModesOptions {
  std::optional<double> from_hz = {};  ///< lower end of the band; none: the first line above 0 Hz
  std::optional<double> to_hz = {};    ///< upper end; none: 0.8 of half the sampling rate
  signal::FrfOptions frf = {};
  FrfModesOptions modes = {};  ///< from the responses
  bool refine = true;          ///< fit the records themselves after the FRFs
};

struct RecordModes : Outcome {
  std::vector<Mode> modes;  ///< as refined, or as the FRFs give them
  FrfModes frf;             ///< choice, diagram, modal model
  signal::FrfResult measured;
  /// 1/s: what the window on the blows of a hammer adds to the poles of `frf`, not to `modes`.
  double added_decay = 0.0;
  bool refined = false;
  std::vector<OutputFit> outputs;           ///< of the refinement
  int iterations = 0;                       ///< of the refinement
  std::vector<std::string> warnings;        ///< why a refinement was not taken, and the like
  std::vector<std::string> left_out = {};   ///< blows of a hammer that took no part, and why
  std::vector<std::string> bad_blows = {};  ///< those that had to: too few were left
  Verdict verdict;
};

/// Deviations of the refinement are the larger of those by the level of noise that is left around
/// each line, and by the scatter of the scores of the lines, since residuals are seldom white:
///   P = (JᵀJ)⁻¹ (Σ_k g_k g_kᵀ) (JᵀJ)⁻¹,  g_k = J_kᵀ e_k.
/// FRFs of a hammer are averaged over its blows, unless a segment is asked for.
/// Blows that hit twice or whose force is clipped are left out, see without_bad_blows().
/// @throws InvalidInput if sizes disagree, the band holds too few lines, or a sample is infinite.
[[nodiscard]] RecordModes identify_record_modes(const std::vector<signal::InputOutput>& records,
                                                double step,
                                                const RecordModesOptions& options = {});

}  // namespace alembert::identify
