#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/structure_matrix/entries.hpp"

namespace alembert::io {
namespace {

enum class MatrixFile { Unknown, HarwellBoeing, Triplets, Dmig, Op4 };

MatrixFile matrix_file(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& letter : ending) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  const auto is_one_of = [&](std::initializer_list<const char*> endings) {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
  };
  if (is_one_of({".hb", ".rsa", ".rua", ".psa", ".rb"})) return MatrixFile::HarwellBoeing;
  if (is_one_of({".sti", ".mas", ".dam"})) return MatrixFile::Triplets;
  if (is_one_of({".pch", ".bdf", ".nas", ".dmig"})) return MatrixFile::Dmig;
  if (is_one_of({".op4"})) return MatrixFile::Op4;
  // Matrix Market names itself in its first line; Abaqus does not.
  if (ending == ".mtx" && read_start(file, 2) != "%%") return MatrixFile::Triplets;
  return MatrixFile::Unknown;
}

StructureMatrix named_matrix(std::vector<StructureMatrix> all, const std::string& name,
                             const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (StructureMatrix& one : all) {
    if (one.name == name || (name.empty() && all.size() == 1)) return std::move(one);
    names.push_back(one.name);
  }
  throw DataError({.file = file.string()},
                  fmt::format("{}; it has {}",
                              name.empty() ? "has several matrices, name one"
                                           : fmt::format("has no matrix \"{}\"", name),
                              join(names, ", ")));
}

}  // namespace

bool is_structure_matrix(const std::filesystem::path& file) {
  return matrix_file(file) != MatrixFile::Unknown;
}

StructureMatrix read_structure_matrix(const std::filesystem::path& file, const std::string& name,
                                      const ReadLimits& limits) {
  return read_within_memory(file, [&]() -> StructureMatrix {
    const MatrixFile form = matrix_file(file);
    const std::string content = read_content(file, limits);
    switch (form) {
      case MatrixFile::HarwellBoeing:
        return parse_harwell_boeing(content, file.string());
      case MatrixFile::Dmig:
        return named_matrix(parse_dmig(content, file.string()), name, file);
      case MatrixFile::Op4:
        return named_matrix(parse_op4(content, file.string()), name, file);
      case MatrixFile::Triplets:
      case MatrixFile::Unknown:
        break;
    }
    return parse_triplets(content, file.string());
  });
}

std::vector<RowLabel> read_calculix_rows(const std::filesystem::path& file,
                                         const ReadLimits& limits) {
  return read_within_memory(
      file, [&] { return parse_calculix_rows(read_content(file, limits), file.string()); });
}

}  // namespace alembert::io
