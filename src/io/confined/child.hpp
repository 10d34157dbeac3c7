#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "alembert/io/read_limits.hpp"
#include "io/confined/pipe.hpp"

namespace alembert::io {

/// How long reading a file may take: of processor time, and by the clock on a machine that has
/// others to serve.
struct TimeLimits {
  std::chrono::seconds processor;
  std::chrono::seconds clock;
};

/// The limits for a file of so many bytes.
[[nodiscard]] TimeLimits time_limits(std::uintmax_t bytes);

/// A process that reads one file with limits of memory and time, so that a broken file that brings
/// a library down does not bring this process down.
class Child {
 public:
  /// Starts it; `work` runs there alone and writes its result to the pipe.
  /// @throws DataError if the system cannot start a process.
  Child(std::string file, const TimeLimits& time, const ReadLimits& limits,
        const std::function<void(PipeWriter&)>& work);
  /// Ends it, whatever it does.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] PipeReader reader() const;
  /// Waits for its end and says why there was no result. @throws DataError always.
  [[noreturn]] void fail();
  /// Ends it for the time it has taken. @throws DataError always.
  [[noreturn]] void fail_late();

 private:
  int wait();

  std::string file_;
  std::uintmax_t memory_;
  TimeLimits time_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace alembert::io
