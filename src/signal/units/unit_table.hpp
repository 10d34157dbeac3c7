#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alembert/signal/units.hpp"

namespace alembert::signal {

/// The unit of one symbol, with or without a metric prefix: "N", "kN", "um", "rpm".
[[nodiscard]] std::optional<Unit> find_symbol(std::string_view symbol);

/// The text with µ, °, Ω, ·, superscripts and the like written in ASCII. Bytes that are no
/// UTF-8 are read as Latin-1. Letters that no unit uses stay as they are.
[[nodiscard]] std::string to_ascii(std::string_view text);

}  // namespace alembert::signal
