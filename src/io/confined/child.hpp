#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "alembert/io/read_limits.hpp"
#include "io/confined/pipe.hpp"

namespace alembert::io {

/// A process that reads one file with limits of memory and time, so that a broken file that brings
/// a library down does not bring this process down.
class Child {
 public:
  /// Starts it; `work` runs there alone and writes its result to the pipe.
  /// @param bytes of the file, by which the limit of time grows.
  /// @throws DataError if the system cannot start a process.
  Child(std::string file, std::uintmax_t bytes, const ReadLimits& limits,
        const std::function<void(PipeWriter&)>& work);
  /// Ends it, whatever it does.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] PipeReader reader() const;
  /// Waits for its end and says why there was no result. @throws DataError always.
  [[noreturn]] void fail();

 private:
  int wait();

  std::string file_;
  std::uintmax_t memory_;
  std::uint64_t seconds_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace alembert::io
