#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/io/archive.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/io/mat_matrices.hpp"
#include "study/exports/export_parts.hpp"

namespace alembert::study {
namespace {

constexpr std::array<std::string_view, 4> kEndings = {"_test.c", "_record.txt", ".h", ".c"};

bool is_own(const std::filesystem::path& file, const std::string& name) {
  const std::string own = file.filename().string();
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return own == name + std::string(ending); });
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()}, "cannot be written (permissions or disk full)");
  }
}

// NAME of the one NAME_test.c in a folder.
std::string name_in(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(kEndings[0])) return file.substr(0, file.size() - kEndings[0].size());
  }
  return "";
}

void write_program(const StudyExport& found, const std::filesystem::path& folder) {
  const code::Program& program = found.program;
  const std::string& name = program.options.name;
  write_text(folder / (name + ".h"), program.header);
  write_text(folder / (name + ".c"), program.source);
  write_text(folder / (name + "_test.c"), program.test);
  write_text(folder / (name + "_record.txt"), code::replay_text(program, found.replay));
}

// Why a folder may not be replaced by a new export.
std::string reason_to_keep_program(const std::filesystem::path& folder) {
  const std::string name = name_in(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (name.empty() || !entry.is_regular_file() || !is_own(entry.path(), name)) {
      return "holds " + entry.path().filename().string() + ", which alembert export did not write";
    }
  }
  return "";
}

void write_matrices(const StudyExport& found, ExportFormat format,
                    const std::filesystem::path& file) {
  std::vector<io::NamedMatrix> matrices;
  for (const ExportedMatrix& one : found.matrices) matrices.push_back({one.name, one.values});
  if (format == ExportFormat::Mat) {
    io::write_mat_matrices(file, matrices);
  } else {
    io::write_npz_matrices(file, matrices);
  }
}

void refuse_to_replace(const std::filesystem::path& file, bool force) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(file, code);
  if (!std::filesystem::exists(status)) return;
  if (!force) throw DataError({.file = file.string()}, "exists already; --force replaces it");
  if (std::filesystem::is_regular_file(status)) return;
  throw DataError({.file = file.string()}, "is no file that --force could replace");
}

}  // namespace

void write_export(StudyExport& found, ExportFormat format, const std::filesystem::path& target,
                  bool force) {
  if (format == ExportFormat::C) {
    io::AtomicFolder folder(target, reason_to_keep_program);
    write_program(found, folder.path());
    folder.commit();
    return;
  }
  const bool matrices = format != ExportFormat::Fmu;
  if (matrices && found.matrices.empty()) {
    throw StudyError({.file = target.string()},
                     fmt::format("only linear models have matrices: {} can be exported --to c or "
                                 "fmu",
                                 found.kind));
  }
  refuse_to_replace(target, force);
  if (matrices) {
    write_matrices(found, format, target);
    return;
  }
  const std::string missing = write_fmu(found, target);
  if (!missing.empty()) found.notes.push_back(missing);
}

}  // namespace alembert::study
