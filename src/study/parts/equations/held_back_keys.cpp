#include "study/parts/equations/held_back_keys.hpp"

#include <fmt/format.h>

namespace alembert::study {

using identify::ValidationSettings;

const BoundKeys<ValidationSettings>& held_back_keys() {
  static const auto keys =
      BoundKeys<ValidationSettings>()
          .key("start", &ValidationSettings::start,
               {.help = "first state: as [model.start] says; steady state; fitted to the first "
                        "samples, or free, to all of them, with the parameters held; outputs that "
                        "are states from their first sample; or, with fraction, where the data "
                        "used end",
                .fallback_note = "that of [identify], with free or lists of starts: estimate; with "
                                 "fraction: continue"})
          .key("start-samples", &ValidationSettings::start_samples,
               {.help = "how many samples start = \"estimate\" looks at",
                .range = at_least(1.0),
                .fallback_note = fmt::format("{} for each state", identify::kStartSamplesPerState)})
          .key("skip", &ValidationSettings::skip,
               {.help = "samples at the beginning of each experiment that are not scored",
                .range = at_least(0.0)})
          .key("window", &ValidationSettings::window,
               {.help = "s; windows of this length, each from the state that fits it best, instead "
                        "of whole records: for unstable or drifting plants",
                .range = at_least(0.0),
                .fallback_note = "0: whole records"})
          .key("ahead", &ValidationSettings::ahead,
               {.help = "each window goes on from where the one before ends: prediction up to one "
                        "window ahead"});
  return keys;
}

}  // namespace alembert::study
