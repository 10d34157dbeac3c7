#include "alembert/study/detail/value.hpp"

#include <array>

namespace alembert::study {

bool Value::is_number() const {
  return std::holds_alternative<long long>(data) || std::holds_alternative<double>(data);
}

double Value::number() const {
  if (const auto* real = std::get_if<double>(&data)) {
    return *real;
  }
  if (const auto* integer = std::get_if<long long>(&data)) {
    return static_cast<double>(*integer);
  }
  return 0.0;
}

const Entry* Value::find(std::string_view key) const {
  if (const Table* entries = table()) {
    for (const Entry& entry : *entries) {
      if (entry.key == key) {
        return &entry;
      }
    }
  }
  return nullptr;
}

Place Document::place(const Position& position) const {
  if (position.source > 0) {
    return {.file = sources.at(position.source)};
  }
  return {.file = sources.at(0), .line = position.line, .column = position.column};
}

std::string kind_name(const Value& value) {
  if (const Array* items = value.array()) {
    if (items->empty()) {
      return "an empty list";
    }
    if (items->front().is_number()) {
      return "a list of numbers";
    }
    if (items->front().text() != nullptr) {
      return "a list of texts";
    }
    if (items->front().array() != nullptr) {
      return "a list of lists";
    }
  }
  // In the order of the variant's alternatives.
  static constexpr std::array<const char*, 7> kNames = {
      "a table", "a list", "a text", "an integer", "a number", "true or false", "a date or time"};
  return kNames.at(value.data.index());
}

}  // namespace alembert::study
