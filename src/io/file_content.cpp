#include "io/file_content.hpp"

#include <fmt/core.h>
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
  if (access(file.c_str(), R_OK) != 0) {
    throw DataError({.file = file.string()}, "the file cannot be read (permissions)");
  }
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

void replace_file(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  if (fs::is_directory(file)) {
    throw DataError({.file = file.string()}, "cannot be written: it is a folder");
  }
  if (fs::is_other(file)) {
    write(file);  // a pipe or device must not be replaced
    return;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
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
  std::error_code error;
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
