#include "alembert/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "alembert/core/check.hpp"

namespace alembert {

namespace {

// What the threads of one loop share.
struct Loop {
  std::size_t count;
  const std::function<void(std::size_t)>& run;
  const ParallelOptions& options;
  std::atomic<std::size_t> next{0};
  std::mutex mutex = {};  // guards the members below
  std::size_t done = 0;
  std::size_t failed_index = 0;
  std::exception_ptr failure = {};

  [[nodiscard]] bool stopping() const {
    return options.stop != nullptr && options.stop->requested();
  }

  void remember_failure(std::size_t index) {
    const std::lock_guard lock(mutex);
    if (!failure || index < failed_index) {
      failure = std::current_exception();
      failed_index = index;
    }
    next.store(count);
  }

  void report_done() {
    const std::lock_guard lock(mutex);
    ++done;
    if (options.on_progress) {
      options.on_progress(done, count);
    }
  }

  void work() {
    while (!stopping()) {
      const std::size_t index = next.fetch_add(1);
      if (index >= count) {
        return;
      }
      try {
        run(index);
        report_done();
      } catch (...) {
        remember_failure(index);
        return;
      }
    }
  }
};

}  // namespace

int thread_count(int threads) {
  check::at_least("thread_count", "threads", threads, 0);
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::size_t parallel_for(std::size_t count, const std::function<void(std::size_t)>& run,
                         const ParallelOptions& options) {
  const std::size_t threads =
      std::min(count, static_cast<std::size_t>(thread_count(options.threads)));
  Loop loop{.count = count, .run = run, .options = options};
  if (threads <= 1) {
    loop.work();
  } else {
    std::vector<std::jthread> pool;
    pool.reserve(threads);
    try {
      while (pool.size() < threads) pool.emplace_back([&loop] { loop.work(); });
    } catch (const std::system_error&) {
      // The machine gives no more threads: those that there are do the work, or this one alone.
      if (pool.empty()) loop.work();
    }
  }
  if (loop.failure) {
    std::rethrow_exception(loop.failure);
  }
  return loop.done;
}

}  // namespace alembert
