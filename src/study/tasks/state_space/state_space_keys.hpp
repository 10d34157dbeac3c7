#pragma once

#include "alembert/study/records/state_space.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

inline constexpr const char* kForStateSpace = "state-space";

/// The keys of [identify] with method = "state-space".
[[nodiscard]] const BoundKeys<identify::StateSpaceOptions>& state_space_keys();

/// The keys of a study with that method.
[[nodiscard]] const TableSpec& state_space_root_table();

}  // namespace alembert::study
