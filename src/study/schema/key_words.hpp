#pragma once

#include <string>

#include "alembert/study/detail/keys.hpp"

/// Keys in words, for help pages, documents and templates.
namespace alembert::study {

/// What may stand there: "number, above 0, s", "one of exact, variational, newmark",
/// "number, at least 0, or automatic", ...
[[nodiscard]] std::string value_words(const KeySpec& key);
/// "required", "default: 1", or "" for a key that may simply be left out.
[[nodiscard]] std::string default_words(const KeySpec& key);
/// The help, with the tasks that take the key unless all do: "column of the file ([identify])".
[[nodiscard]] std::string help_words(const KeySpec& key);
/// "[simulate.inputs]", or "study" for the root.
[[nodiscard]] std::string table_heading(const TableSpec& table);
/// "exactly one of samples, duration", ...
[[nodiscard]] std::string rule_words(const KeyRule& rule);

}  // namespace alembert::study
