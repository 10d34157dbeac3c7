#include "study/file_context.hpp"

#include <fmt/format.h>

#include <system_error>

#include "alembert/core/error.hpp"

namespace alembert::study {

std::filesystem::path FileContext::find(const TableReader& table, const std::string& key) const {
  if (!read_files) {
    throw NeedsFile{};
  }
  const std::string name = table.text(key);
  std::filesystem::path path = folder / name;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const std::string named = fmt::format("{}: file \"{}\"", table.name(key), name);
  if (!std::filesystem::exists(status)) {
    throw DataError(table.place(key), named + " not found (sought beside the study)");
  }
  if (std::filesystem::is_directory(status)) {
    throw DataError(table.place(key), named + " is a folder");
  }
  return path;
}

}  // namespace alembert::study
