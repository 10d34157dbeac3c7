#include "identify/modes/choice/mode_evidence.hpp"

#include <fmt/format.h>

namespace alembert::identify::modes {
namespace {

constexpr Eigen::Index kFewestOfShape = 3;

}  // namespace

void add_mode_evidence(const std::vector<Mode>& modes, Evidence& evidence) {
  for (const Mode& mode : modes) {
    if (!mode.damping_known) {
      evidence.add(TrustLevel::Caution,
                   fmt::format("the damping of the mode at {:.5g} Hz is not known: {}",
                               mode.frequency_hz, mode.remark),
                   "measure longer, or with more force near that frequency");
    }
    if (mode.shape.size() < kFewestOfShape || mode.collinearity >= kOutOfPhase) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the parts of the shape at {:.5g} Hz do not move in phase (MPC {:.2f})",
                    mode.frequency_hz, mode.collinearity),
        "look whether it is a mode: sensors of different kinds, two close modes and noise "
        "look like this too");
  }
}

}  // namespace alembert::identify::modes
