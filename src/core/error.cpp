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

// The parts with `function: item` taken apart.
InvalidInput::Parts taken_apart(InvalidInput::Parts parts) {
  const std::size_t colon = parts.function.find(": ");
  if (!parts.item.empty() || colon == std::string::npos) return parts;
  parts.item = parts.function.substr(colon + 2);
  parts.function.resize(colon);
  return parts;
}

std::string reason_of(const InvalidInput::Parts& parts) {
  std::string text = parts.item;
  if (!parts.argument.empty()) text += (text.empty() ? "" : ": ") + parts.argument;
  if (!parts.rule.empty()) text += (text.empty() ? "" : " ") + parts.rule;
  return parts.value.empty() ? text : text + ", got " + parts.value;
}

std::string message_of(const InvalidInput::Parts& parts) {
  return parts.function + ": " + reason_of(parts);
}

}  // namespace

InvalidInput::InvalidInput(Parts parts)
    : std::invalid_argument(message_of(taken_apart(parts))),
      parts_(taken_apart(std::move(parts))) {}

std::string InvalidInput::reason() const { return reason_of(parts_); }

PlacedError::PlacedError(Place place, const std::string& reason)
    : std::runtime_error(to_string(place) + ": " + reason),
      place_(std::move(place)),
      reason_(reason) {}

}  // namespace alembert
