#include "alembert/study/result/out_folder.hpp"

#include <fmt/format.h>

#include <system_error>

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

// The path without links and "..", as far as it exists.
fs::path plain_path(const fs::path& path) {
  std::error_code code;
  const fs::path whole = fs::absolute(path, code);
  const fs::path plain = fs::weakly_canonical(code ? path : whole, code);
  fs::path result = code ? path.lexically_normal() : plain;
  if (!result.has_filename()) result = result.parent_path();
  return result;
}

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code code;
  return a == b || (fs::equivalent(a, b, code) && !code);
}

// Whether a path is a folder or lies in it, however deep.
bool is_within(fs::path path, const fs::path& folder) {
  while (!same_folder(path, folder)) {
    if (path == path.parent_path()) return false;
    path = path.parent_path();
  }
  return true;
}

// Whether a path leads through a folder in which a run that died has left its result.
bool is_in_left_over(fs::path path, const fs::path& out) {
  const std::string prefix = fmt::format(".{}.part-", out.filename().string());
  for (; path != path.parent_path(); path = path.parent_path()) {
    if (path.filename().string().starts_with(prefix) &&
        same_folder(path.parent_path(), out.parent_path())) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string reason_against_out(const fs::path& out, const std::vector<fs::path>& files) {
  const fs::path target = plain_path(out);
  for (const fs::path& file : files) {
    const fs::path read = plain_path(file);
    if (is_within(read, target)) {
      return fmt::format("holds {}, which the study reads", file.string());
    }
    if (is_in_left_over(read, target)) {
      return fmt::format("replaces what an earlier run left, and the study reads {} there",
                         file.string());
    }
    const fs::path folder = read.parent_path();
    if (is_within(target, folder) && !is_within(plain_path(files.front()), folder)) {
      return fmt::format("lies in {}, from which the study reads {}", folder.string(),
                         file.filename().string());
    }
  }
  return "";
}

}  // namespace alembert::study
