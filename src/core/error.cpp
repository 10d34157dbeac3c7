#include "alembert/core/error.hpp"

#include <fmt/core.h>

#include <utility>

namespace alembert {

std::string to_string(const Place& place) {
  if (place.line > 0 && place.column > 0) {
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
  }
  if (place.line > 0) {
    return fmt::format("{}:{}", place.file, place.line);
  }
  if (place.byte >= 0) {
    return fmt::format("{}: byte {}", place.file, place.byte);
  }
  return place.file;
}

PlacedError::PlacedError(Place place, const std::string& reason)
    : std::runtime_error(to_string(place) + ": " + reason),
      place_(std::move(place)),
      reason_(reason) {}

}  // namespace alembert
