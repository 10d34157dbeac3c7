#include "io/file/file_content.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>

#include "alembert/core/error.hpp"

namespace alembert::io {

namespace fs = std::filesystem;

void require_readable(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) {
    throw DataError({.file = file.string()}, "the file does not exist");
  }
  if (status.type() == fs::file_type::directory) {
    throw DataError({.file = file.string()}, "is a folder, not a file");
  }
  if (status.type() == fs::file_type::none) {
    throw DataError({.file = file.string()},
                    fmt::format("the file cannot be read: {}", error.message()));
  }
  if (access(file.c_str(), R_OK) != 0) {
    throw DataError({.file = file.string()}, "the file cannot be read (permissions)");
  }
}

std::uintmax_t size_of_file(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) {
    throw DataError({.file = file.string()},
                    fmt::format("is not a file of known size: {}", error.message()));
  }
  return size;
}

std::string read_content(const fs::path& file) {
  require_readable(file);
  std::ifstream stream(file, std::ios::binary);
  std::string content;
  std::error_code unknown_size;
  const std::uintmax_t size = fs::file_size(file, unknown_size);
  if (!unknown_size && size > 0) {
    content.resize(size);
    stream.read(content.data(), static_cast<std::streamsize>(size));
    content.resize(static_cast<std::size_t>(stream.gcount()));
  } else {
    content.assign(std::istreambuf_iterator<char>(stream), {});
  }
  if (stream.bad()) {
    throw DataError({.file = file.string()}, "the file cannot be read");
  }
  return content;
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
