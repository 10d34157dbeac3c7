#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [geometry] of a study of modes.
[[nodiscard]] const TableSpec& geometry_table();

}  // namespace alembert::study
