#pragma once

#include <string_view>

namespace alembert {

/// The version of the library, "major.minor.patch".
[[nodiscard]] std::string_view version();

}  // namespace alembert
