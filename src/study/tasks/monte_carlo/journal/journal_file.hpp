#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace alembert::study {

/// A file that is the user's own: a regular one, under one name only, that nobody else may write.
/// No link is followed and nothing is waited for, whatever a stranger has put under the name.
class OwnFile {
 public:
  /// Opens a file that is there. @param flags of open(2), such as O_RDONLY.
  OwnFile(const std::filesystem::path& file, int flags);
  ~OwnFile();
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  /// Why it may not be used, to be read on from its name: "is a link"; "" if it may.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// Whether there is nothing under the name.
  [[nodiscard]] bool missing() const noexcept { return missing_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] mode_t mode() const noexcept { return mode_; }
  /// Hands the open file over, which the caller closes.
  [[nodiscard]] int release() noexcept;

 private:
  std::string reason_;
  bool missing_ = false;
  int descriptor_ = -1;
  mode_t mode_ = 0;
};

/// Opens a journal for reading and appending, or makes it; its first line is `head`.
/// @throws DataError if that fails or there is something else under the name.
[[nodiscard]] int open_journal(const std::filesystem::path& file, std::string_view head);

/// Whether a file is the user's own and begins with the line `head`.
[[nodiscard]] bool is_journal(const std::filesystem::path& file, std::string_view head);

/// Hands each line of a journal but the first to a function; a last one without its end is torn and
/// left out. Nothing happens for a file that is no journal.
void read_lines(const std::filesystem::path& file, std::string_view head,
                const std::function<void(std::string_view)>& on_line);

/// Writes all of a text. @throws DataError if that fails.
void write_all(int descriptor, std::string_view text, const std::filesystem::path& file);

}  // namespace alembert::study
