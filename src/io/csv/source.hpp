#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

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
  /// Opens a file; what cannot be read at any place (a pipe) is read whole at once.
  /// @throws DataError if the file is missing, a folder or not readable.
  explicit Source(const std::filesystem::path& file);
  /// Text in memory that outlives this object.
  Source(std::string_view text, std::string name);
  ~Source();
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
  void read_all();
  void read_exactly(char* to, std::size_t length, std::size_t offset) const;
  [[nodiscard]] std::size_t find(char letter, std::size_t from, std::size_t limit) const;

  std::string name_;
  int descriptor_ = -1;  ///< of a file, negative for memory
  std::string held_;     ///< what came through a pipe
  std::string_view text_;
  std::size_t front_ = 0;  ///< bytes skipped
  std::size_t size_ = 0;   ///< bytes without the skipped ones
};

}  // namespace alembert::io::csv
