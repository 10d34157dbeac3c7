#include "model/equations/native/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/sha256.hpp"

namespace alembert::model::equations {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxLibraries = 400;
constexpr std::string_view kSealMark = "alembert-seal-1 ";

// Belongs to the user, and others can neither write it nor, for folders, replace what is in it.
bool is_private(const std::string& path, bool folder) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return false;
  }
  return (folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode)) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string default_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') {
    return std::string(cache) + "/alembert";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/alembert" : "";
}

std::string read_all(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string seal_of(std::string_view content) {
  return fmt::format("{}{} {}\n", kSealMark, content.size(), sha256(content));
}

}  // namespace

std::string usable_cache(const std::string& given) {
  const std::string folder = given.empty() ? default_cache() : given;
  if (folder.empty()) {
    return "";
  }
  std::error_code error;
  const fs::path parent = fs::path(folder).parent_path();
  if (!parent.empty()) {
    fs::create_directories(parent, error);
  }
  ::mkdir(folder.c_str(), 0700);  // fails if it exists; what counts is checked next
  const bool usable = is_private(folder, true) && ::access(folder.c_str(), W_OK | X_OK) == 0;
  return usable ? folder : "";
}

PrivateFolder::PrivateFolder(const std::string& parent) : path_(parent + "/build-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error(fmt::format("no folder can be made in {}", parent));
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

void seal_library(const std::string& file) {
  const std::string seal = seal_of(read_all(file));
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << seal;
  stream.close();
  if (!stream || ::chmod(file.c_str(), 0700) != 0) {
    throw std::runtime_error(fmt::format("{} cannot be written", file));
  }
}

bool is_sealed(const std::string& file) {
  if (!is_private(file, false)) {
    return false;
  }
  const std::string content = read_all(file);
  const std::size_t mark = content.rfind(kSealMark);
  return mark != std::string::npos && mark > 0 &&
         std::string_view(content).substr(mark) ==
             seal_of(std::string_view(content).substr(0, mark));
}

void note_timeout(const std::string& file, double timeout) {
  // Without the note the next run tries again.
  std::ofstream(file, std::ios::trunc) << fmt::format("{}\n", timeout);
  ::chmod(file.c_str(), 0600);
}

bool timed_out_before(const std::string& file, double timeout) {
  if (!is_private(file, false)) {
    return false;
  }
  // The machine may have been busy: the note does not hold forever.
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (error || time < fs::file_time_type::clock::now() - std::chrono::hours(7 * 24)) {
    return false;
  }
  double tried = 0.0;
  return (std::ifstream(file) >> tried) && tried >= timeout;
}

void trim_cache(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> libraries;
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const fs::file_time_type time = entry->last_write_time(ignored);
    if (entry->path().extension() == ".so" || entry->path().extension() == ".timeout") {
      libraries.emplace_back(time, entry->path());
    } else if (entry->path().filename().string().starts_with("build-") && time < yesterday) {
      fs::remove_all(entry->path(), ignored);
    }
  }
  if (libraries.size() <= kMaxLibraries) {
    return;
  }
  std::sort(libraries.begin(), libraries.end());
  for (std::size_t k = 0; k < libraries.size() / 2; ++k) {
    fs::remove(libraries[k].second, error);
  }
}

}  // namespace alembert::model::equations
