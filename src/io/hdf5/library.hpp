#pragma once

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The HDF5 C library, wrapped: handles that close themselves, errors as exceptions.
namespace alembert::io::hdf5 {

/// An identifier of the library, closed with the object.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Closes now. Returns whether that worked: a file is complete on disk only then.
  bool reset() {
    const bool closed = id_ < 0 || close_(id_) >= 0;
    id_ = -1;
    return closed;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Holds the library for one call: no other thread is in it (Debian builds it without thread
/// safety, and matio uses it too), and it prints nothing.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// The innermost reason on the library's error stack, "" if it is empty.
[[nodiscard]] std::string last_reason();

/// Throws a DataError: `file: object: what (reason)`.
[[noreturn]] void fail(const std::string& file, const std::string& object, const std::string& what);

/// Opens a file for reading; `name` stands for it in messages. @throws DataError
[[nodiscard]] Handle open_file(const std::filesystem::path& path, const std::string& name);
/// Opens the bytes of a file in memory, which the library copies. @throws DataError
[[nodiscard]] Handle open_image(std::string_view content, const std::string& name);

enum class Kind { Real, Complex, Text, Other };

/// What a data set or an attribute holds.
struct Shape {
  Kind kind = Kind::Other;
  std::string type;  ///< for lists
  bool single_precision = false;
  std::vector<hsize_t> size;  ///< empty for a scalar

  [[nodiscard]] bool is_matrix() const {
    return (kind == Kind::Real || kind == Kind::Complex) && size.size() <= 2;
  }
  [[nodiscard]] hsize_t rows() const { return size.empty() ? 1 : size[0]; }
  [[nodiscard]] hsize_t columns() const { return size.size() < 2 ? 1 : size[1]; }
};

/// Whether numbers are stored as machines have them: IEEE 754 of 2, 4 or 8 bytes, integers that
/// fill their bytes. A file describes them bit by bit, and one flipped bit there would give other
/// numbers. True for what is no number.
[[nodiscard]] bool has_usual_form(hid_t type);

[[nodiscard]] Shape shape_of(const Handle& type, const Handle& space);

/// A numeric scalar attribute, or nullopt where there is none.
[[nodiscard]] std::optional<double> number_attribute(hid_t object, const std::string& name);
/// A scalar text attribute, or nullopt where there is none.
[[nodiscard]] std::optional<std::string> text_attribute(hid_t object, const std::string& name);

/// A type for the two parts of a complex number in memory.
[[nodiscard]] Handle complex_memory_type(hid_t stored);

}  // namespace alembert::io::hdf5
