#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

inline constexpr const char* kForMechanisms = "mechanisms";

/// [mechanism]: bodies, joints, lengths.
[[nodiscard]] const TableSpec& mechanism_table();

}  // namespace alembert::study
