#pragma once

#include <string>
#include <utility>

#include "alembert/document/result_tree.hpp"
#include "study/schema/bound_keys.hpp"

/// The settings that a task has used, as result.json echoes them: keys and tables are those of the
/// study, defaults included, because they come from the same lines that read the study.
namespace alembert::study {

/// A value of a study as part of a result.
[[nodiscard]] document::ResultTree result_of(const Value& value);

/// Adds each key that is bound to a field and has a place with these options, with its value.
template <typename Options>
void describe_settings(const BoundKeys<Options>& keys, const Options& options,
                       document::ResultTree& table) {
  for (const auto& [key, value] : keys.values(options)) table.insert(key, result_of(value));
}

}  // namespace alembert::study
