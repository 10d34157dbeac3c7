#include "alembert/study/source_files.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "core/sha256.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostHashed = 256'000'000;  // bytes, some two seconds

// No folder of a machine gets into a report.
std::string name_below(const fs::path& file, const fs::path& folder) {
  const fs::path below = file.lexically_normal().lexically_relative(folder.lexically_normal());
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside ? below.generic_string() : file.filename().string();
}

std::string hash_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return sha256(text);
}

}  // namespace

std::vector<SourceFile> source_files(const std::vector<fs::path>& files, const fs::path& folder) {
  std::vector<SourceFile> found;
  for (const fs::path& file : files) {
    std::error_code code;
    if (!fs::is_regular_file(file, code)) continue;
    SourceFile one{.name = name_below(file, folder), .bytes = fs::file_size(file, code)};
    if (code) continue;
    if (one.bytes <= kMostHashed) one.sha256 = hash_of(file);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace alembert::study
