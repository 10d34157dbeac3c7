#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [monte-carlo].
[[nodiscard]] const TableSpec& monte_carlo_table();

}  // namespace alembert::study
