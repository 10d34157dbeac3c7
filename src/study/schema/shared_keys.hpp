#pragma once

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// The title of a study.
[[nodiscard]] KeySpec title_key();

/// Two lists of keys as one.
[[nodiscard]] std::vector<KeySpec> joined(std::vector<KeySpec> first,
                                          const std::vector<KeySpec>& then);

}  // namespace alembert::study
