#include "study/parts/mechanism/mechanism_places.hpp"

#include <fmt/format.h>

namespace alembert::study {
namespace {

// The value with this text at any depth, or nullptr.
const Value* find_text(const Value& value, const std::string& text) {
  if (value.text() != nullptr) return *value.text() == text ? &value : nullptr;
  if (const Array* items = value.array()) {
    for (const Value& item : *items) {
      if (const Value* found = find_text(item, text)) return found;
    }
  } else if (const Table* entries = value.table()) {
    for (const Entry& entry : *entries) {
      if (const Value* found = find_text(entry.value, text)) return found;
    }
  }
  return nullptr;
}

// What a message says that it got, in quotes; "" if nothing.
std::string culprit_of(const std::string& message) {
  const std::size_t begin = message.find("got '");
  if (begin == std::string::npos) return "";
  const std::size_t end = message.find('\'', begin + 5);
  return end == std::string::npos ? "" : message.substr(begin + 5, end - begin - 5);
}

}  // namespace

void MechanismPlaces::add(const std::string& kind, const std::string& name, const std::string& key,
                          const Value& value, const Place& place) {
  items_.push_back({kind, name, key, &value, place});
}

StudyError MechanismPlaces::placed(const TableReader& mechanism, const InvalidInput& error) const {
  const std::string rule = error.reason();
  // The last of two with one name is the one too many.
  for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
    if (rule.rfind(fmt::format("{} '{}'", item->kind, item->name), 0) != 0) continue;
    const Value* culprit = find_text(*item->value, culprit_of(rule));
    return {culprit != nullptr ? mechanism.place_of(culprit->position) : item->place,
            fmt::format("{}: {}", item->key, rule)};
  }
  return {mechanism.place(""), "mechanism: " + rule};
}

Problem MechanismPlaces::placed(const TableReader& mechanism,
                                const model::planar::Finding& finding) const {
  for (const std::string& name : finding.names) {
    for (const Item& item : items_) {
      if (item.name != name || item.kind == "sensor") continue;
      return {item.place, fmt::format("{}: {}", item.key, finding.message)};
    }
  }
  return {mechanism.place(""), "mechanism: " + finding.message};
}

}  // namespace alembert::study
