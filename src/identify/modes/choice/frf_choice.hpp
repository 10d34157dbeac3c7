#pragma once

#include <vector>

#include "alembert/identify/modes/frf_modes.hpp"

namespace alembert::identify::modes {

/// The modal model that is left after tests.
struct ChosenModel {
  ModalFit fit;
  std::size_t reported = 0;  ///< the first terms are modes, the others stand for what lies beyond
};

/// Fits all candidates together and keeps what the data support; data have line deviations or
/// equal weights.
[[nodiscard]] ChosenModel choose_frf_modes(const FrfData& data, std::vector<FrfPole> candidates,
                                           const FrfModesOptions& options);

}  // namespace alembert::identify::modes
