#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace alembert::io {

/// A regular file, open for reading.
///
/// What was opened is looked at, not its name, so that nobody can exchange the file in between; and
/// opening never waits, as it would for a pipe that nobody writes to.
class RegularFile {
 public:
  /// @throws DataError if there is no such file, it may not be read, or it is a folder, a device, a
  ///   pipe or a socket.
  explicit RegularFile(const std::filesystem::path& file);
  ~RegularFile();
  RegularFile(RegularFile&& other) noexcept;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  RegularFile& operator=(RegularFile&&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uintmax_t size() const noexcept { return size_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// A name that leads to this very file, for libraries that open by name.
  [[nodiscard]] std::string path() const;

  /// Reads bytes at an offset. @throws DataError if there are fewer or the device fails.
  void read(void* to, std::size_t length, std::uintmax_t offset) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uintmax_t size_ = 0;
};

}  // namespace alembert::io
