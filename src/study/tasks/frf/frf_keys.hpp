#pragma once

#include "alembert/study/responses/frf.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// The keys of [identify] with method = "frf".
[[nodiscard]] const BoundKeys<FrfSettings>& frf_keys();

/// The keys of a study with that method.
[[nodiscard]] const TableSpec& frf_root_table();

}  // namespace alembert::study
