#pragma once

#include <string>
#include <string_view>

namespace alembert::io {

/// Whether a field of a universal file says nothing.
[[nodiscard]] bool is_none(std::string_view text);

/// A degree of freedom: "12:+X", "wing 12:-RZ".
[[nodiscard]] std::string dof_name(std::string_view entity, long long node, int direction);

}  // namespace alembert::io
