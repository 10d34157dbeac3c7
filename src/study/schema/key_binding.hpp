#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/study/detail/keys.hpp"
#include "study/schema/table_reader.hpp"

/// The part of BoundKeys that does not know the type of the options.
namespace alembert::study {

/// What a line says of a key beside its name and its field; see KeySpec.
struct KeyAbout {
  std::string help;
  std::string unit = {};
  Range range = {};
  std::size_t size = 0;
  unsigned forms = 0;                     ///< 0: that of the field; kNumber | kNumbers, ...
  std::vector<std::string> choices = {};  ///< some of the names; empty: all
  std::string fallback_note = {};         ///< in place of the value that the field has
  bool required = false;                  ///< then there is no default
  bool no_default = false;                ///< nor here: another key stands in its place
  std::string required_by = {};
  std::vector<std::string> tasks = {};
  std::string argument = {};    ///< the library's name in errors; "": the key's with _ for -
  std::string now_called = {};  ///< an old key, which another one replaces; see KeySpec
};

/// A key, and the field behind it.
struct KeyBinding {
  KeySpec spec;
  std::string argument = {};
  std::function<void(const Value& value, void* options)> set = {};  ///< none: no field
  std::function<std::optional<Value>(const void* options)> get = {};
  std::string used_by_key = {};  ///< the key whose value decides whether this one has a place
  std::vector<std::string> used_values = {};
  std::function<bool(const void* options)> used = {};
  std::string unused_rule = {};
};

/// A key that is there and has no place.
struct UnusedKey {
  std::string key;
  std::string rule;  ///< reads on from its name: "has no place with form = \"input\""
};

namespace bindings {

[[nodiscard]] KeyBinding made(std::string name, unsigned form, std::vector<std::string> choices,
                              std::vector<OldChoice> old_choices,
                              const std::optional<Value>& fallback, KeyAbout about);
[[nodiscard]] std::vector<KeySpec> specs(const std::vector<KeyBinding>& list);
[[nodiscard]] std::vector<KeySpec> specs_of_fields(const std::vector<KeyBinding>& list);
void read(const std::vector<KeyBinding>& list, const TableReader& table, void* options,
          std::vector<std::string>* notes);
[[nodiscard]] std::vector<UnusedKey> unused(const std::vector<KeyBinding>& list,
                                            const TableReader& table, const void* options);
void refuse(const TableReader& table, const std::vector<UnusedKey>& keys);
[[nodiscard]] std::vector<std::pair<std::string, Value>> values(const std::vector<KeyBinding>& list,
                                                                const void* options);
[[noreturn]] void fail(const std::vector<KeyBinding>& list, const TableReader& table,
                       const InvalidInput& error);

}  // namespace bindings

}  // namespace alembert::study
