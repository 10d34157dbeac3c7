#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/mat_matrices.hpp"

/// Zip archives: of files, and of arrays as NumPy reads them.
namespace alembert::io {

/// A file in an archive.
struct ArchiveMember {
  std::string name;  ///< with folders, "sources/model.c"
  std::string content;
};

/// Writes an archive of files, stored as they are and without times: the same content gives the
/// same bytes. Replaces the file. @throws DataError if it cannot be written or exceeds 4 GiB.
void write_archive(const std::filesystem::path& file, const std::vector<ArchiveMember>& members);

/// Writes matrices as .npz, replacing the file. @throws DataError if it cannot be written.
void write_npz_matrices(const std::filesystem::path& file,
                        const std::vector<NamedMatrix>& matrices);

}  // namespace alembert::io
