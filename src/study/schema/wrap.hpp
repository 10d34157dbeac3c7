#pragma once

#include <cstddef>
#include <string>

namespace alembert::study {

/// Breaks text at blanks so that no line is longer than `width`; every line but the first begins
/// with `indent` blanks. The first line is taken to begin at column `first`.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                                  std::size_t first);

}  // namespace alembert::study
