#pragma once

#include <string>
#include <string_view>

namespace alembert::model::equations {

/// SHA-256 of a text [FIPS180-4] as 64 hexadecimal digits: names of cached files, and their check.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace alembert::model::equations
