#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace alembert::io {

/// The end of a pipe that a reading process writes its result to.
class PipeWriter {
 public:
  explicit PipeWriter(int descriptor) : descriptor_(descriptor) {}
  void put(std::uint64_t value) { bytes(&value, sizeof(value)); }
  void put(double value) { bytes(&value, sizeof(value)); }
  void put(const std::string& text);
  /// Ends the process if nobody reads any more: there is nobody to tell.
  void bytes(const void* from, std::size_t length);

 private:
  int descriptor_;
};

/// The process at the other end has ended or sends what cannot be.
struct BrokenPipe {};
/// It is still there, but nothing has come for too long.
struct LatePipe {};

/// The other end. What comes is not trusted: sizes are compared with what may be left.
class PipeReader {
 public:
  /// @param most bytes that may come in all.
  /// @param patience for which bytes are waited for, in all. Time for which this process was itself
  ///   stopped does not count.
  PipeReader(int descriptor, std::uintmax_t most, std::chrono::milliseconds patience)
      : descriptor_(descriptor), left_(most), patience_(patience) {}
  /// @throws BrokenPipe, LatePipe
  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] double real();
  [[nodiscard]] std::string text();
  /// A number of things that take so many bytes each at least.
  [[nodiscard]] std::size_t count(std::size_t bytes_of_one);
  /// Checks that so many things may still come. @throws BrokenPipe
  void require(std::uint64_t count, std::uint64_t bytes_of_one) const;
  void bytes(void* to, std::size_t length);

 private:
  void wait();

  int descriptor_;
  std::uintmax_t left_;
  std::chrono::milliseconds patience_;
};

}  // namespace alembert::io
