#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// What is known of the matrices that are to be identified: [model.fixed], [model.tied],
/// [model.elements].
[[nodiscard]] const TableSpec& fixed_table();
[[nodiscard]] const TableSpec& tied_table();
[[nodiscard]] const TableSpec& elements_table();

}  // namespace alembert::study
