#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/modal_model.hpp"
#include "alembert/identify/modes/mode_set.hpp"

/// Modes of FRFs without any choice by hand: stabilisation proposes, likelihood disposes.
namespace alembert::identify {

/// A frequency window that the user wants modes from, or none. What is not reported stays in the
/// model, where it keeps the others free of bias.
struct ModeWindow {
  double from_hz = 0.0;
  double to_hz = 0.0;
  bool keep = true;  ///< false: no mode from here
};

/// With windows to keep, whether the frequency is in one of them; in any case, whether it is in
/// none to drop.
[[nodiscard]] bool is_wanted(double frequency_hz, const std::vector<ModeWindow>& windows);

struct FrfModesOptions {
  PlscfOptions plscf = {};   ///< of the stability diagram
  ModalFitOptions fit = {};  ///< of the modal model
  /// Orders over which a pole must be followed to be a candidate.
  int shortest_track = 5;
  /// A mode stays if the fall of cost/s² that it brings exceeds the chi-square quantile with
  /// 2 l + 2 m degrees of freedom at 1 - this/lines.
  double false_alarm = 0.01;
  double largest_frequency_share = 0.01;  ///< of sd_f to f
  double largest_damping_share = 0.5;     ///< of sd_zeta to zeta
  std::vector<ModeWindow> windows = {};
};

struct FrfModes : Outcome {
  std::vector<Mode> modes;  ///< ascending frequency
  std::vector<StabilityPoint> diagram;
  FrfData data;  ///< with the line deviations that were used
  ModalFit fit;  ///< all terms: modes first, then those beyond the band that are not reported
  std::size_t candidates = 0;
  std::size_t beyond = 0;             ///< terms beyond the band
  bool deviations_estimated = false;  ///< line deviations come from the residual
  double relative_noise = 0.0;        ///< share of |H| in them, where they are estimated
  Verdict verdict;

  /// Whether there are lines and a model of them.
  [[nodiscard]] bool has_model() const {
    return data.lines() > 0 && fit.constant.rows() == data.outputs &&
           fit.constant.cols() == data.inputs;
  }
};

/// Finds the modes of FRFs: candidates by plscf_poles() followed over orders, a joint fit of all of
/// them, removal of what the chi-square test does not support, a scan of the residual for what was
/// missed, and up to three terms beyond the band. Data without deviations of their lines get them
/// from the residual, in three passes: σ² = a² + b² |H|², a smooth over 81 lines, b one number.
/// @throws InvalidInput as check_frf_data().
[[nodiscard]] FrfModes identify_frf_modes(const FrfData& data, const FrfModesOptions& options = {});

}  // namespace alembert::identify
