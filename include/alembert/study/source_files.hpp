#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace alembert::study {

/// A file that a study read, with what tells whether another file is the same.
struct SourceFile {
  std::string name;  ///< below the folder of the study, else the name alone
  std::uintmax_t bytes = 0;
  std::string sha256 = {};  ///< 64 hexadecimal digits; "" for a file above 256 MB
};

/// What traces a result back to those who made it and to what it was made of.
struct StudyTrace {
  std::vector<SourceFile> files;
  std::string author = {};    ///< "": not given
  std::string customer = {};  ///< "": not given
};

/// Sizes and checksums of files, LoadedStudy::files for example. Those that cannot be read any more
/// are left out.
[[nodiscard]] std::vector<SourceFile> source_files(const std::vector<std::filesystem::path>& files,
                                                   const std::filesystem::path& folder);

}  // namespace alembert::study
