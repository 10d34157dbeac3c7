#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alembert/io/read_limits.hpp"
#include "io/file/regular_file.hpp"

namespace alembert::io::csv {

/// Whole lines of a text.
struct Lines {
  std::string_view text;
  /// Memory that holds the text and more, which may be read but means nothing: the number parser
  /// looks at 16 bytes at once.
  std::string_view readable;
  std::unique_ptr<char[]> buffer;  ///< owns the text where it was read from a file
};

/// The text of a table: a file that is read in pieces when asked, or memory.
class Source {
 public:
  /// Opens a regular file; `-` is standard input, which is read whole at once.
  /// @throws DataError as RegularFile.
  explicit Source(const std::filesystem::path& file, const ReadLimits& limits = {});
  /// Text in memory that outlives this object.
  Source(std::string_view text, std::string name);
  ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Makes the text begin this many bytes later (a byte-order mark); count <= size().
  void skip_front(std::size_t count);

  /// Bytes [offset, offset + length) as far as there are any. @throws DataError
  [[nodiscard]] Lines bytes(std::size_t offset, std::size_t length) const;
  /// The lines that start in [begin, end) and, unless begin is 0, after a terminator; the last one
  /// is complete, even beyond end. @throws DataError
  [[nodiscard]] Lines lines(std::size_t begin, std::size_t end, char terminator) const;

 private:
  [[nodiscard]] std::size_t find(char letter, std::size_t from, std::size_t limit) const;

  std::string name_;
  std::optional<RegularFile> file_;  ///< absent for memory and standard input
  std::string_view text_;
  std::size_t front_ = 0;  ///< bytes skipped
  std::size_t size_ = 0;   ///< bytes without the skipped ones
};

}  // namespace alembert::io::csv
