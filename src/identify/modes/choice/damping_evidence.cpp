#include "identify/modes/choice/damping_evidence.hpp"

#include <fmt/format.h>

namespace alembert::identify::modes {

void add_damping_evidence(const std::vector<Mode>& modes, Evidence& evidence) {
  for (const Mode& mode : modes) {
    if (mode.damping_known) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("the damping of the mode at {:.5g} Hz is not known: {}",
                             mode.frequency_hz, mode.remark),
                 "measure longer, or with more force near that frequency");
  }
}

}  // namespace alembert::identify::modes
