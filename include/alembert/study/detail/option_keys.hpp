#pragma once

#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

#include "alembert/study/detail/keys.hpp"

/// Keys of studies as options of functions of the library: the same names, defaults, checks and
/// messages.
namespace alembert::study {

/// A broken rule, reading on from the name of the key.
struct WrongOption {
  std::string key;
  std::string rule;   ///< "must be from 1 to 3, got 7"; "" for nothing
  bool form = false;  ///< not even the kind of value is right
};

/// The keys of one table that are bound to fields of an options struct.
struct OptionTable {
  std::vector<KeySpec> keys;
  /// Sets the fields of the keys that are in a table whose values have been checked.
  std::function<void(const Value& table, void* options)> read;
  /// The first key of the table that has no place with these options; an empty rule for none.
  std::function<WrongOption(const Value& table, const void* options)> unused;

  [[nodiscard]] const KeySpec* find(const std::string& key) const;
};

/// The tables that are read into an options struct; none for a struct that no task reads.
[[nodiscard]] const std::vector<OptionTable>& option_tables(const std::type_info& options);

/// Checks a value as it is checked in a study.
[[nodiscard]] WrongOption wrong_with(const KeySpec& key, const Value& value);

}  // namespace alembert::study
