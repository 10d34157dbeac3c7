#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [observe].
[[nodiscard]] const TableSpec& observe_table();

}  // namespace alembert::study
