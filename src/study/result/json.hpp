#pragma once

#include <filesystem>
#include <string>

#include "alembert/document/result_tree.hpp"

namespace alembert::study {

/// The form of result.json. It changes when a key changes its meaning.
inline constexpr const char* kResultFormat = "alembert-result-2";

/// The keys that begin every result: format, version, task, title.
[[nodiscard]] document::ResultTree result_head(const std::string& task, const std::string& title);

/// Writes result.json into a folder: groups become objects, lists arrays, numbers that are not
/// finite null. @throws DataError if that fails.
void write_result(const document::ResultTree& tree, const std::filesystem::path& folder);

}  // namespace alembert::study
