#include "io/uff/names.hpp"

#include <fmt/core.h>

#include <cstdlib>

#include "alembert/core/text.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io {
namespace {

std::string direction_name(int direction) {
  static constexpr std::string_view kAxes[] = {"X", "Y", "Z", "RX", "RY", "RZ"};
  const int axis = std::abs(direction);
  if (axis < 1 || axis > 6) {
    return direction == 0 ? "S" : std::to_string(direction);
  }
  return fmt::format("{}{}", direction < 0 ? '-' : '+', kAxes[axis - 1]);
}

}  // namespace

bool is_none(std::string_view text) { return trimmed(text).empty() || trimmed(text) == "NONE"; }

std::string dof_name(std::string_view entity, long long node, int direction) {
  const std::string prefix = is_none(entity) ? "" : to_utf8(trimmed(entity)) + " ";
  return fmt::format("{}{}:{}", prefix, node, direction_name(direction));
}

}  // namespace alembert::io
