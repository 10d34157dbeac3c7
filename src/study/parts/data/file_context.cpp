#include "study/parts/data/file_context.hpp"

#include <fmt/format.h>

#include <system_error>

#include "alembert/core/error.hpp"

namespace alembert::study {

const signal::Records* FileContext::in_memory(const std::string& name) const {
  if (memory == nullptr) return nullptr;
  const auto entry = memory->find(std::filesystem::path(name).filename().string());
  return entry == memory->end() ? nullptr : &entry->second;
}

std::filesystem::path FileContext::find(const TableReader& table, const std::string& key) const {
  return find(table.text(key), table.name(key), table.place(key));
}

std::filesystem::path FileContext::find(const std::string& name, const std::string& key,
                                        const Place& place) const {
  if (!read_files) {
    throw NeedsFile{};
  }
  if (name == "-") {
    return name;  // standard input
  }
  std::filesystem::path path = folder / name;
  if (in_memory(name) != nullptr) return path;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const std::string named = fmt::format("{}: file \"{}\"", key, name);
  if (!std::filesystem::exists(status)) {
    throw DataError(place, named + " not found (sought beside the study)");
  }
  if (std::filesystem::is_directory(status)) {
    throw DataError(place, named + " is a folder");
  }
  if (found != nullptr) found->push_back(path);
  return path;
}

}  // namespace alembert::study
