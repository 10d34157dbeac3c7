#pragma once

#include <cstddef>
#include <functional>

#include "alembert/core/progress.hpp"

namespace alembert {

/// How independent runs are spread.
struct ParallelOptions {
  int threads = 0;                 ///< threads in this process; 0 takes all cores
  OnProgress on_progress = {};     ///< called after each finished run
  const StopFlag* stop = nullptr;  ///< no new run starts after a request
};

/// The number of threads that `threads` stands for: itself, or all cores for 0.
/// @throws InvalidInput if negative.
[[nodiscard]] int thread_count(int threads);

/// Calls run(i) for i = 0..count-1 on several threads; each index exactly once, any order.
/// run must write only to what belongs to i. If runs throw, the exception of the smallest
/// index is rethrown after the started ones have ended.
/// Returns how many runs were finished (less than count only after a stop request).
std::size_t parallel_for(std::size_t count, const std::function<void(std::size_t)>& run,
                         const ParallelOptions& options = {});

}  // namespace alembert
