#pragma once

#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/mode_set.hpp"

namespace alembert::identify::modes {

/// Below this phase collinearity a shape is far from a vibration in phase.
inline constexpr double kOutOfPhase = 0.5;

/// Caution for every mode whose damping the data do not tell, and for shapes of three responses or
/// more that are far from a vibration in phase.
void add_mode_evidence(const std::vector<Mode>& modes, Evidence& evidence);

/// Caution where a mode has another frequency in the second half than in the first, by more than
/// five of their joint deviations and a twentieth of the width of its peak at half power. @param
/// whole what was halved: "the records".
void add_half_evidence(const std::vector<Mode>& first, const std::vector<Mode>& second,
                       const char* whole, Evidence& evidence);

/// Samples held at the largest or least value: at least eight of them, and more than three times as
/// many as have the value next to it. Of a sine in steps 2.4 times as many have the largest value.
[[nodiscard]] Eigen::Index clipped_samples(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Caution for clipped responses, which show modes at multiples, sums and differences of the true
/// ones. @param records one column for each response.
void add_clipping_evidence(const std::vector<Eigen::MatrixXd>& records, Evidence& evidence);

}  // namespace alembert::identify::modes
