#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// [identify] with equations in [model].
[[nodiscard]] const TableSpec& output_error_table();

}  // namespace alembert::study
