#pragma once

#include "alembert/identify/equation_fit.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// How the data of [data.validation] are started and scored: start, start-samples, skip.
[[nodiscard]] const BoundKeys<identify::ValidationSettings>& held_back_keys();

}  // namespace alembert::study
