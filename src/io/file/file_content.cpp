#include "io/file/file_content.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "alembert/core/error.hpp"
#include "alembert/io/text_file.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/regular_file.hpp"

namespace alembert::io {

namespace fs = std::filesystem;

void require_readable(const fs::path& file) { static_cast<void>(RegularFile(file)); }

std::string read_content(const fs::path& file, const ReadLimits& limits) {
  const RegularFile opened(file);
  require_room(opened.name(), "the text", opened.size(), 1, 1, limits);
  return read_within_memory(file, [&] {
    std::string content(opened.size(), '\0');
    opened.read(content.data(), content.size(), 0);
    return content;
  });
}

std::string read_text_file(const fs::path& file, const ReadLimits& limits) {
  return read_content(file, limits);
}

std::string read_start(const fs::path& file, std::size_t most) {
  const RegularFile opened(file);
  std::string start(static_cast<std::size_t>(std::min<std::uintmax_t>(most, opened.size())), '\0');
  opened.read(start.data(), start.size(), 0);
  return start;
}

void give_back_pages(void* begin, std::size_t bytes) {
#if defined(MADV_DONTNEED)
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (start + page - 1) / page * page;
  const std::uintptr_t last = (start + bytes) / page * page;
  if (first < last) {
    // Where it is not granted, the memory is held until the block goes.
    static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED));
  }
#else
  static_cast<void>(begin);
  static_cast<void>(bytes);
#endif
}

void release_front(std::string& content, std::size_t count, std::size_t& released) {
  constexpr std::size_t kWorthACall = std::size_t{1} << 20U;
  if (count >= released + kWorthACall) {
    give_back_pages(content.data() + released, count - released);
    released = count;
  }
}

void replace_file(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::none) {
    throw DataError({.file = file.string()}, fmt::format("cannot be written: {}", error.message()));
  }
  if (fs::is_directory(status)) {
    throw DataError({.file = file.string()}, "cannot be written: it is a folder");
  }
  if (fs::is_other(status)) {
    write(file);  // a pipe or device must not be replaced
    return;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    throw DataError({.file = file.string()},
                    fmt::format("cannot be written: no folder {}", folder.string()));
  }
  const fs::path part = folder / fmt::format(".{}.part-{}", file.filename().string(), getpid());
  std::error_code ignored;
  try {
    write(part);
  } catch (...) {
    fs::remove(part, ignored);
    throw;
  }
  fs::rename(part, file, error);
  if (error) {
    fs::remove(part, ignored);
    throw DataError({.file = file.string()}, fmt::format("cannot be written: {}", error.message()));
  }
}

void write_content(const fs::path& file, std::string_view content) {
  replace_file(file, [&](const fs::path& part) {
    std::ofstream stream(part, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) {
      throw DataError({.file = file.string()}, "cannot be written (permissions or disk full)");
    }
  });
}

}  // namespace alembert::io
