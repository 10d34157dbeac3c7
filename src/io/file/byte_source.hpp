#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/file/regular_file.hpp"

namespace alembert::io {

/// Bytes that can be read at any place: an open file, or memory.
class ByteSource {
 public:
  /// The file must outlive this object.
  explicit ByteSource(const RegularFile& file) : file_(&file), name_(file.name()) {}
  /// The content must outlive this object.
  ByteSource(std::string_view content, std::string name)
      : content_(content), name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uintmax_t size() const {
    return file_ != nullptr ? file_->size() : content_.size();
  }
  /// Copies bytes that are there: offset + length <= size(). @throws DataError as RegularFile.
  void read(void* to, std::size_t length, std::uintmax_t offset) const {
    if (file_ != nullptr) {
      file_->read(to, length, offset);
    } else {
      content_.copy(static_cast<char*>(to), length, static_cast<std::size_t>(offset));
    }
  }

 private:
  const RegularFile* file_ = nullptr;
  std::string_view content_;
  std::string name_;
};

}  // namespace alembert::io
