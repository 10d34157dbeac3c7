#include "alembert/study/detail/keys.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"

namespace alembert::study {
namespace {

const KeySpec* find_in(const std::vector<KeySpec>& keys, const std::string& name) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const KeySpec& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace

bool Range::contains(double value) const {
  return (lower_open ? value > lower : value >= lower) && value <= upper;
}

bool Range::is_bounded() const { return std::isfinite(lower) || std::isfinite(upper); }

Range above(double lower) { return {.lower = lower, .lower_open = true}; }
Range at_least(double lower) { return {.lower = lower}; }
Range within(double lower, double upper) { return {.lower = lower, .upper = upper}; }

std::string to_string(const Range& range) {
  if (!std::isfinite(range.upper)) {
    return (range.lower_open ? "above " : "at least ") + shortest(range.lower);
  }
  if (!std::isfinite(range.lower)) {
    return "at most " + shortest(range.upper);
  }
  return "from " + shortest(range.lower) + " to " + shortest(range.upper);
}

const std::string& KeySpec::todays_text(const std::string& text) const {
  const auto found = std::find_if(old_choices.begin(), old_choices.end(),
                                  [&](const OldChoice& one) { return one.old_text == text; });
  return found == old_choices.end() ? text : found->text;
}

const Variant* TableSpec::variant(const Value* table) const {
  if (tag.empty() || table == nullptr) {
    return nullptr;
  }
  const Entry* entry = table->find(tag);
  if (entry == nullptr || entry->value.text() == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant& candidate) {
    return candidate.tag_value == *entry->value.text();
  });
  return found == variants.end() ? nullptr : &*found;
}

const KeySpec* TableSpec::find(const std::string& key, const Value* table) const {
  if (const KeySpec* own = find_in(keys, key)) {
    return own;
  }
  if (const Variant* chosen = variant(table)) {
    if (const KeySpec* special = find_in(chosen->keys, key)) {
      return special;
    }
  }
  return any_name;
}

std::string describe_forms(unsigned forms) {
  // A number may be written as an integer, so that one word serves both.
  static const std::vector<std::pair<unsigned, std::string>> kNames = {
      {kNumber, "a number"},
      {kInteger, "an integer"},
      {kBoolean, "true or false"},
      {kText, "a text"},
      {kNumbers, "a list of numbers"},
      {kTexts, "a list of texts"},
      {kRows, "a list of rows of numbers"},
      {kList, "a list of values"},
      {kTables, "a list of tables"},
      {kTable, "a table"}};
  std::vector<std::string> words;
  for (const auto& [form, name] : kNames) {
    if ((forms & form) != 0) {
      words.push_back(name);
    }
  }
  const std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : join(words, ", ") + " or " + last;
}

}  // namespace alembert::study
