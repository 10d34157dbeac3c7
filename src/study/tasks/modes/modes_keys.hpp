#pragma once

#include "alembert/study/modes.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

inline constexpr const char* kForModes = "modes";

/// The keys of [identify] with method = "modes".
[[nodiscard]] const BoundKeys<ModesSettings>& modes_keys();

/// The keys of a study with that method.
[[nodiscard]] const TableSpec& modes_root_table();

}  // namespace alembert::study
