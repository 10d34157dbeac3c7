#pragma once

#include <filesystem>
#include <string>

namespace alembert::study {

/// Why a folder is not an earlier result of ours that may be removed, or "" if it is one.
///
/// It is one if its result.json has a `format` that begins with "alembert-result-" and everything
/// else in it is a regular file of that result: report.html, result.mat, result.h5, or a name that
/// result.json gives under a key `file`. The reason names the first foreign file: "holds notes.txt,
/// which is not part of a result".
[[nodiscard]] std::string reason_to_keep(const std::filesystem::path& folder);

}  // namespace alembert::study
