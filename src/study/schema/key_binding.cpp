#include "study/schema/key_binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/study/detail/toml.hpp"

namespace alembert::study::bindings {
namespace {

// Texts as they are called today; each that was given up is noted.
Value in_todays_words(Value value, const KeySpec& spec, const std::string& name,
                      std::vector<std::string>* notes) {
  if (Array* items = std::get_if<Array>(&value.data)) {
    for (Value& item : *items) item = in_todays_words(std::move(item), spec, name, notes);
    return value;
  }
  std::string* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) return value;
  std::string today(spec.todays_text(*text));
  if (today != *text && notes != nullptr) {
    notes->push_back(fmt::format("{}: \"{}\" is called \"{}\" now", name, *text, today));
  }
  *text = std::move(today);
  return value;
}

// Replaces each {key} by the text of that key.
std::string with_texts(std::string rule, const TableReader& table) {
  for (std::size_t begin = rule.find('{'); begin != std::string::npos; begin = rule.find('{')) {
    const std::size_t end = rule.find('}', begin);
    rule.replace(begin, end - begin + 1, table.text(rule.substr(begin + 1, end - begin - 1)));
  }
  return rule;
}

std::optional<std::string> why_unused(const KeyBinding& binding, const TableReader& table,
                                      const void* options) {
  if (!binding.used_by_key.empty()) {
    const std::string value = table.text(binding.used_by_key);
    const auto& values = binding.used_values;
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      return fmt::format("has no place with {} = \"{}\"", binding.used_by_key, value);
    }
  }
  if (binding.used && !binding.used(options)) return with_texts(binding.unused_rule, table);
  return std::nullopt;
}

// What a key has now, as a text; none if it is no bound text.
std::optional<std::string> text_of(const std::vector<KeyBinding>& list, const std::string& key,
                                   const void* options) {
  for (const KeyBinding& binding : list) {
    if (binding.spec.name != key || !binding.get) continue;
    const std::optional<Value> value = binding.get(options);
    if (value && value->text() != nullptr) return *value->text();
  }
  return std::nullopt;
}

// Whether a key of today does anything with these options.
bool has_place(const std::vector<KeyBinding>& list, const KeyBinding& binding,
               const void* options) {
  if (!binding.spec.now_called.empty()) return false;
  if (binding.used && !binding.used(options)) return false;
  if (binding.used_by_key.empty()) return true;
  const std::optional<std::string> text = text_of(list, binding.used_by_key, options);
  const auto& values = binding.used_values;
  return !text || std::find(values.begin(), values.end(), *text) != values.end();
}

// A number that no study could give stands for "not set": an infinite bound, a count of 0.
bool is_set(const KeyBinding& binding, const Value& value) {
  if (!value.is_number()) return true;
  return std::isfinite(value.number()) && binding.spec.range.contains(value.number());
}

// As people write it: "1e-9", not "1e-09".
std::string default_text(const Value& value) {
  std::string text = to_toml(value);
  for (const char* sign : {"e-0", "e+0"}) {
    const std::size_t at = text.find(sign);
    if (at != std::string::npos && text.size() > at + 3) text.erase(at + 2, 1);
  }
  return text;
}

// An old key is noted, and refused beside the one that took its place.
void note_old_key(const KeySpec& spec, const TableReader& table, std::vector<std::string>* notes) {
  if (spec.now_called.empty()) return;
  const std::string words =
      fmt::format("{} is called {} now", table.name(spec.name), spec.now_called);
  if (table.has(spec.now_called)) table.fail_at_key(spec.name, words + "; both are given");
  if (notes != nullptr) notes->push_back(words);
}

std::string argument_of(std::string key) {
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

}  // namespace

KeyBinding made(std::string name, unsigned form, std::vector<std::string> choices,
                std::vector<OldChoice> old_choices, const std::optional<Value>& fallback,
                KeyAbout about) {
  KeyBinding binding;
  binding.argument = about.argument.empty() ? argument_of(name) : std::move(about.argument);
  KeySpec& spec = binding.spec;
  spec.name = std::move(name);
  spec.forms = about.forms == 0 ? form : about.forms;
  spec.help = std::move(about.help);
  spec.unit = std::move(about.unit);
  spec.range = about.range;
  spec.size = about.size;
  spec.choices = about.choices.empty() ? std::move(choices) : std::move(about.choices);
  spec.old_choices = std::move(old_choices);
  spec.fallback_note = std::move(about.fallback_note);
  spec.required = about.required;
  spec.required_by = std::move(about.required_by);
  spec.tasks = std::move(about.tasks);
  spec.now_called = std::move(about.now_called);
  const bool has_default = !spec.required && !about.no_default && spec.fallback_note.empty();
  if (fallback && has_default) spec.fallback = default_text(*fallback);
  return binding;
}

std::vector<KeySpec> specs(const std::vector<KeyBinding>& list) {
  std::vector<KeySpec> keys;
  keys.reserve(list.size());
  for (const KeyBinding& binding : list) keys.push_back(binding.spec);
  return keys;
}

std::vector<KeySpec> specs_of_fields(const std::vector<KeyBinding>& list) {
  std::vector<KeySpec> keys;
  for (const KeyBinding& binding : list) {
    if (binding.set) keys.push_back(binding.spec);
  }
  return keys;
}

void read(const std::vector<KeyBinding>& list, const TableReader& table, void* options,
          std::vector<std::string>* notes) {
  for (const KeyBinding& binding : list) {
    const std::string& key = binding.spec.name;
    const Value* value = table.value(key);
    if (value == nullptr || !binding.set) continue;
    note_old_key(binding.spec, table, notes);
    binding.set(in_todays_words(*value, binding.spec, table.name(key), notes), options);
  }
}

std::vector<UnusedKey> unused(const std::vector<KeyBinding>& list, const TableReader& table,
                              const void* options) {
  std::vector<UnusedKey> found;
  for (const KeyBinding& binding : list) {
    if (!table.has(binding.spec.name)) continue;
    if (const auto rule = why_unused(binding, table, options)) {
      found.push_back({binding.spec.name, *rule});
    }
  }
  return found;
}

void refuse(const TableReader& table, const std::vector<UnusedKey>& keys) {
  if (keys.empty()) return;
  table.fail_at_key(keys.front().key, table.name(keys.front().key) + " " + keys.front().rule);
}

std::vector<std::pair<std::string, Value>> values(const std::vector<KeyBinding>& list,
                                                  const void* options) {
  std::vector<std::pair<std::string, Value>> found;
  for (const KeyBinding& binding : list) {
    if (!binding.get || !has_place(list, binding, options)) continue;
    std::optional<Value> value = binding.get(options);
    if (value && is_set(binding, *value)) {
      found.emplace_back(binding.spec.name, std::move(*value));
    }
  }
  return found;
}

void fail(const std::vector<KeyBinding>& list, const TableReader& table,
          const InvalidInput& error) {
  const InvalidInput::Parts& parts = error.parts();
  const auto found = std::find_if(list.begin(), list.end(), [&](const KeyBinding& binding) {
    return binding.set && binding.argument == parts.argument;
  });
  if (parts.argument.empty() || found == list.end()) {
    throw StudyError(table.place(""), error.reason());
  }
  table.fail(found->spec.name,
             parts.value.empty() ? parts.rule : fmt::format("{}, got {}", parts.rule, parts.value));
}

}  // namespace alembert::study::bindings
