#include "alembert/study/result/result_folder.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "alembert/study/detail/result_files.hpp"
#include "study/result/json_file.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

// Every text under a key `file`, at any depth.
void collect_files(const nlohmann::json& json, std::set<std::string>& names) {
  if (!json.is_structured()) {
    return;
  }
  for (const auto& item : json.items()) {
    if (json.is_object() && item.key() == "file" && item.value().is_string()) {
      names.insert(item.value().get<std::string>());
    }
    collect_files(item.value(), names);
  }
}

bool is_regular(const fs::directory_entry& entry) {
  std::error_code code;
  return fs::is_regular_file(entry.symlink_status(code)) && !code;
}

}  // namespace

std::string reason_to_keep(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_regular_file(fs::symlink_status(folder / "result.json", code))) {
    return "is not empty and holds no result.json";
  }
  const nlohmann::json result = read_json(folder / "result.json");
  if (result.is_discarded() || !is_our_result(result)) {
    return "holds a result.json of another program";
  }
  std::set<std::string> names = {"result.json", "report.html", file_name(ResultFile::Mat),
                                 file_name(ResultFile::Hdf5)};
  collect_files(result, names);
  // The first one in the order of names, so that the message does not depend on the file system.
  std::set<std::string> foreign;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (names.count(name) == 0 || !is_regular(*entry)) {
      foreign.insert(name);
    }
  }
  if (code) {
    return fmt::format("cannot be read ({})", code.message());
  }
  return foreign.empty() ? ""
                         : fmt::format("holds {}, which is not part of a result", *foreign.begin());
}

}  // namespace alembert::study
