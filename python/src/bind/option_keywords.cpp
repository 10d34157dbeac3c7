#include "bind/option_keywords.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "alembert/study/detail/option_keys.hpp"
#include "convert/containers.hpp"

namespace alembert::python {
namespace {

using study::KeySpec;
using study::OptionTable;

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// A key of studies, and the table that has it.
struct FoundKey {
  const OptionTable* table = nullptr;
  const KeySpec* key = nullptr;  ///< null: there is none

  explicit operator bool() const { return key != nullptr; }
};

FoundKey find_key(const ClassInfo& options, const std::string& name) {
  for (const OptionTable& table : study::option_tables(*options.type)) {
    for (const KeySpec& key : table.keys) {
      if (with_underscores(key.name) == name) return {&table, &key};
    }
  }
  return {};
}

study::Value table_of(const std::string& key, study::Value value) {
  return {study::Table{{key, {}, std::move(value)}}, {}};
}

std::optional<study::Value> value_from(py::handle object);

std::optional<study::Value> list_from(py::handle object) {
  study::Array items;
  for (const py::object& item : items_of(object)) {
    std::optional<study::Value> value = value_from(item);
    if (!value) return std::nullopt;
    items.push_back(*std::move(value));
  }
  return study::Value{std::move(items), {}};
}

// A value as studies have it; nothing for what no study could hold.
std::optional<study::Value> value_from(py::handle object) {
  PyObject* one = object.ptr();
  if (PyBool_Check(one)) return study::Value{one == Py_True, {}};
  if (PyUnicode_Check(one)) return study::Value{text_from(object), {}};
  if (PyLong_Check(one)) return study::Value{py::cast<long long>(object), {}};
  if (PyFloat_Check(one)) return study::Value{PyFloat_AS_DOUBLE(one), {}};
  if (py::hasattr(py::type::handle_of(object), "__members__")) {
    return study::Value{text_from(object.attr("value")), {}};
  }
  if (PyList_Check(one) || PyTuple_Check(one)) return list_from(object);
  // Numbers and arrays of NumPy.
  if (py::hasattr(object, "tolist")) return value_from(object.attr("tolist")());
  return std::nullopt;
}

[[noreturn]] void raise_wrong(const std::string& name, const study::WrongOption& wrong) {
  const std::size_t got = wrong.rule.rfind(", got ");
  throw ConversionError{
      .kind = wrong.form ? ConversionError::Kind::Type : ConversionError::Kind::Value,
      .argument = name,
      .rule = wrong.rule.substr(0, got),
      .got = got == std::string::npos ? "" : wrong.rule.substr(got + 6)};
}

void set_by_key(const FoundKey& found, const std::string& name, void* options, py::handle object) {
  std::optional<study::Value> value = value_from(object);
  if (!value) wrong_type(("must be " + study::describe_forms(found.key->forms)).c_str(), object);
  const study::WrongOption wrong = study::wrong_with(*found.key, *value);
  if (!wrong.rule.empty()) raise_wrong(name, wrong);
  found.table->read(table_of(found.key->name, *std::move(value)), options);
}

// The field says what it takes; the range is that of the key.
void set_by_field(const Field& field, const FoundKey& found, const std::string& name, void* options,
                  py::handle object) {
  const bool is_text = PyUnicode_Check(object.ptr()) != 0;
  try {
    field.set(options, object, {});
  } catch (ConversionError& error) {
    if (found && is_text) return set_by_key(found, name, options, object);
    prepend_place(error, name);
    throw;
  }
  if (!found || is_text) return;
  const std::optional<study::Value> value = value_from(object);
  if (!value) return;
  const study::WrongOption wrong = study::wrong_with(*found.key, *value);
  if (!wrong.rule.empty() && !wrong.form) raise_wrong(name, wrong);
}

void set_option(const ClassInfo& info, void* options, const std::string& name, py::handle value) {
  const Field* field = find_field(info, name);
  const FoundKey key = find_key(info, name);
  if (field == nullptr) {
    try {
      return set_by_key(key, name, options, value);
    } catch (ConversionError& error) {
      if (error.argument.empty()) error.argument = name;
      throw;
    }
  }
  if (field->set == nullptr) {
    throw py::type_error(std::string(info.name) + ": " + name + " cannot be set");
  }
  set_by_field(*field, key, name, options, value);
}

void add_field_help(const ClassInfo& info, std::string& text) {
  if (info.base != nullptr) add_field_help(*info.base, text);
  for (const Field& field : info.fields) {
    std::string help = field.doc;
    for (std::size_t at = help.find('\n'); at != std::string::npos; at = help.find('\n', at + 9)) {
      help.replace(at, 1, "\n        ");
    }
    text += fmt::format("    {}\n        {}\n", field.name, help);
  }
}

std::string key_help(const study::KeySpec& spec) {
  const std::string unit = spec.unit.empty() ? "" : ", " + spec.unit;
  const std::string choices =
      spec.choices.empty() ? "" : fmt::format("; one of {}", fmt::join(spec.choices, ", "));
  const std::string& otherwise = spec.fallback.empty() ? spec.fallback_note : spec.fallback;
  return fmt::format("    {}\n        {}{}{}{}\n", with_underscores(spec.name), spec.help, unit,
                     choices, otherwise.empty() ? "" : "; default: " + otherwise);
}

// Keys whose names are no fields of the options.
std::vector<KeySpec> keys_beyond_fields(const ClassInfo& options) {
  std::vector<KeySpec> keys;
  for (const OptionTable& table : study::option_tables(*options.type)) {
    for (const KeySpec& key : table.keys) {
      if (find_field(options, with_underscores(key.name)) == nullptr) keys.push_back(key);
    }
  }
  return keys;
}

// Keywords that do nothing with the other options are refused, as in a study.
void refuse_unused(const OptionTable& table, const void* options, const py::dict& values) {
  study::Table given;
  for (const auto& [keyword, object] : values) {
    std::string name = text_from(keyword);
    std::replace(name.begin(), name.end(), '_', '-');
    std::optional<study::Value> value;
    if (table.find(name) != nullptr) value = value_from(object);
    if (value) given.push_back({name, {}, *std::move(value)});
  }
  if (given.empty()) return;
  const study::WrongOption unused = table.unused({std::move(given), {}}, options);
  if (!unused.rule.empty()) {
    throw ConversionError{.kind = ConversionError::Kind::Value,
                          .argument = with_underscores(unused.key),
                          .rule = unused.rule};
  }
}

}  // namespace

bool is_option(const ClassInfo& options, const std::string& name) {
  return find_field(options, name) != nullptr || find_key(options, name);
}

std::vector<std::string> option_names(const ClassInfo& options) {
  std::vector<std::string> names = field_names(options);
  for (const KeySpec& key : keys_beyond_fields(options)) {
    names.push_back(with_underscores(key.name));
  }
  return names;
}

void set_options(const ClassInfo& info, void* options, const py::dict& values) {
  for (const auto& [key, value] : values) set_option(info, options, text_from(key), value);
  // Only now all options are known that decide whether a key has a place.
  for (const OptionTable& table : study::option_tables(*info.type)) {
    refuse_unused(table, options, values);
  }
}

std::string option_help(const ClassInfo& options) {
  std::string text;
  add_field_help(options, text);
  for (const KeySpec& key : keys_beyond_fields(options)) text += key_help(key);
  return text;
}

}  // namespace alembert::python
