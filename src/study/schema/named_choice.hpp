#pragma once

#include <string>

#include "alembert/core/enum_names.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// The value of an enum that a key names; the keys have been checked before, so that it is one.
template <NamedEnum Enum>
[[nodiscard]] Enum named_choice(const TableReader& table, const std::string& key) {
  return enum_named<Enum>(table.text(key)).value();
}

}  // namespace alembert::study
