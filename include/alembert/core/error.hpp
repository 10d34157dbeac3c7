#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace alembert {

/// The caller of a function passed something it documents as not allowed.
/// The message has the form `function: argument rule, got value`.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A place in a file: a line (and column) of a text file, or a byte of a binary one.
struct Place {
  std::string file;
  std::size_t line = 0;    ///< 1-based; 0 when it does not apply
  std::size_t column = 0;  ///< 1-based; 0 when it does not apply
  long long byte = -1;     ///< 0-based offset; negative when it does not apply
};

/// Returns `file:line:column`, `file: byte N`, or as much of it as the place knows.
[[nodiscard]] std::string to_string(const Place& place);

/// A message that names a place in a file: the common part of DataError and StudyError.
class PlacedError : public std::runtime_error {
 public:
  PlacedError(Place place, const std::string& reason);

  [[nodiscard]] const Place& place() const noexcept { return place_; }
  /// The message without the place.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  Place place_;
  std::string reason_;
};

/// A file with measured data or matrices cannot be used; its owner can mend it.
class DataError : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

/// A study (the TOML file) breaks a rule; its author can mend it.
class StudyError : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

}  // namespace alembert
