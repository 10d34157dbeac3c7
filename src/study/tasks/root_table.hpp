#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// The whole study: title, data, model and exactly one task; [monte-carlo] has [simulate] and
/// [identify] beside it as its parts. The tasks bring their own tables.
[[nodiscard]] const TableSpec& root_table();

}  // namespace alembert::study
