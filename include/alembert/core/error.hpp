#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace alembert {

/// The caller of a function passed something it documents as not allowed.
/// The message has the form `function: item: argument rule, got value`; each part can be asked for,
/// so that nobody has to search in the text.
class InvalidInput : public std::invalid_argument {
 public:
  /// The parts of a message. Without a value `, got value` is left out; without an argument the
  /// rule is one for the item, `item rule`; without both it is a whole sentence.
  /// `function: item` may also be given as the function alone.
  struct Parts {
    std::string function;       ///< "identify_subspace"
    std::string item = {};      ///< which of several the argument belongs to: "joint 'crank'"
    std::string argument = {};  ///< "order", as the caller names it
    std::string rule = {};      ///< "must be in [1, 40]"
    std::string value = {};     ///< "64"
  };

  explicit InvalidInput(Parts parts);

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  /// The message without the function, which the author of a study does not know.
  [[nodiscard]] std::string reason() const;

 private:
  Parts parts_;
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
