#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alembert::study {

/// Why a result must not be written to a folder because of the files that its study reads, or "".
///
/// A result folder is replaced as a whole, so it may not hold what the study reads; and folders of
/// data are left as they are, so it may not lie in one, but for that of the study itself and those
/// above it. Links and `..` make no difference. The reason reads on from the folder's name: "holds
/// record.csv, which the study reads".
/// @param files the study first, then what it reads.
[[nodiscard]] std::string reason_against_out(const std::filesystem::path& out,
                                             const std::vector<std::filesystem::path>& files);

}  // namespace alembert::study
