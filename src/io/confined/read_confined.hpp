#pragma once

#include <filesystem>
#include <optional>

#include "io/confined/child.hpp"
#include "io/confined/messages.hpp"
#include "io/file/memory_limit.hpp"

namespace alembert::io {

/// Runs `read` in a process of its own and hands its result over, or throws what it threw there.
/// A crash, too much memory or too much time there is a DataError that names the file.
/// The caller keeps other threads out of the libraries that `read` uses (hdf5::Session).
/// @param time as time_limits() gives it by the size of the file.
template <typename Result, typename Read>
Result read_confined(const std::filesystem::path& file, const TimeLimits& time,
                     const ReadLimits& limits, const Read& read) {
  const auto work = [&](PipeWriter& pipe) {
    std::optional<Result> result;
    try {
      result = read();
    } catch (...) {
      pipe.put(std::uint64_t{0});
      send_error(pipe);
      return;
    }
    pipe.put(std::uint64_t{1});
    send(pipe, *result);
  };
  return read_within_memory(file, [&] {
    Child child(file.string(), time, limits, work);
    PipeReader pipe = child.reader();
    try {
      if (pipe.number() != 1) receive_error(pipe);
      Result result;
      receive(pipe, result);
      return result;
    } catch (const BrokenPipe&) {
      child.fail();
    } catch (const LatePipe&) {
      child.fail_late();
    }
  });
}

}  // namespace alembert::io
