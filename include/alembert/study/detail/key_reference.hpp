#pragma once

#include <string>

/// The reference of keys that `alembert keys` prints.
namespace alembert::study {

/// Reference of all keys as text for a terminal of 80 columns; `path` chooses one table and those
/// below it, "" all. @throws InvalidInput for an unknown path, naming the nearest.
[[nodiscard]] std::string keys_as_text(const std::string& path = {});
/// The same as Markdown, for docs/study.md.
[[nodiscard]] std::string keys_as_markdown();

}  // namespace alembert::study
