#pragma once

#include <filesystem>
#include <optional>

namespace alembert::io {

enum class FileFormat { Text, Mat, Hdf5, Uff, MatrixMarket, Numpy, Lvm, Wav, Tdms };

/// The format that the ending of a file name stands for (letter case counts nothing).
[[nodiscard]] std::optional<FileFormat> format_of_ending(const std::filesystem::path& file);

/// The format of a file to read: by its ending; for .txt, .dat and endings that are not known, by
/// its content. @throws DataError if the file is missing, or in no format that is known.
[[nodiscard]] FileFormat format_to_read(const std::filesystem::path& file);

/// The format of a file to write. @throws DataError listing the endings that are known.
[[nodiscard]] FileFormat format_to_write(const std::filesystem::path& file);

}  // namespace alembert::io
