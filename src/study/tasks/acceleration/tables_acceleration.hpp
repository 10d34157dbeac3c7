#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// The whole study for [identify] with method = "acceleration".
[[nodiscard]] const TableSpec& acceleration_root_table();

}  // namespace alembert::study
