#pragma once

#include <string_view>

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// The title of a study.
[[nodiscard]] KeySpec title_key();
/// Who made the study, and for whom: both stand in the report alone.
[[nodiscard]] KeySpec author_key();
[[nodiscard]] KeySpec customer_key();
/// Whether a key of a study names it and does not change what is computed.
[[nodiscard]] bool is_heading(std::string_view key);

/// Two lists of keys as one.
[[nodiscard]] std::vector<KeySpec> joined(std::vector<KeySpec> first,
                                          const std::vector<KeySpec>& then);

}  // namespace alembert::study
