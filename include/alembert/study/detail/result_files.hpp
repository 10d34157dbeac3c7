#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/document/result_tree.hpp"

namespace alembert::study {

/// A file that holds a whole result with its signals, for other programs.
enum class ResultFile {
  Mat,  ///< result.mat: variables of MATLAB and Octave, version 5
  Hdf5  ///< result.h5
};
constexpr auto enum_names(ResultFile) {
  return std::to_array<EnumName<ResultFile>>({{ResultFile::Mat, "mat"}, {ResultFile::Hdf5, "h5"}});
}

/// The files of a list such as "mat,h5", each once; nullopt if a word is none of their names.
[[nodiscard]] std::optional<std::vector<ResultFile>> result_files(std::string_view list);

/// The name of such a file: result.mat, result.h5.
[[nodiscard]] std::string file_name(ResultFile file);

/// Writes a result a second time beside its result.json: the same keys, and where a group names a
/// CSV `file` in the folder, that file's `columns` by their names and their `units`
/// (docs/result.md).
///
/// Numbers that are not finite keep their value. Returns "" or, in one line, why a file could not
/// hold the result (more than 2 GiB in a variable of result.mat); the others are written then.
/// @throws DataError if a file cannot be written.
[[nodiscard]] std::string write_result_files(const document::ResultTree& result,
                                             const std::filesystem::path& folder,
                                             const std::vector<ResultFile>& files);

}  // namespace alembert::study
