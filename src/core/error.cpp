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

namespace {

std::string reason_of(const InvalidInput::Parts& parts) {
  std::string text = parts.argument;
  if (!parts.argument.empty() && !parts.rule.empty()) text += " ";
  text += parts.rule;
  return parts.value.empty() ? text : text + ", got " + parts.value;
}

InvalidInput::Parts parts_of(const std::string& message) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos) return {.function = {}, .rule = message};
  return {.function = message.substr(0, colon), .rule = message.substr(colon + 2)};
}

}  // namespace

InvalidInput::InvalidInput(Parts parts)
    : std::invalid_argument(parts.function + ": " + reason_of(parts)), parts_(std::move(parts)) {}

InvalidInput::InvalidInput(const std::string& message)
    : std::invalid_argument(message), parts_(parts_of(message)) {}

std::string InvalidInput::reason() const { return reason_of(parts_); }

PlacedError::PlacedError(Place place, const std::string& reason)
    : std::runtime_error(to_string(place) + ": " + reason),
      place_(std::move(place)),
      reason_(reason) {}

}  // namespace alembert
