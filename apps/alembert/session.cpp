#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/console.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

// The one global of the tool: a signal handler can reach nothing else. StopFlag is a lock-free
// atomic, which a handler may set.
StopFlag stop_flag;

extern "C" void on_signal(int) { stop_flag.request(); }

}  // namespace

void fail(const Session& session, const std::string& line, int code) {
  // Most errors meet all processes alike, and the first one speaks; it ends the others meanwhile.
  // If it does not, the error is ours alone.
  if (!session.machines.is_first()) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  static_cast<void>(flush_out());
  tell("{}\n", line);
  session.machines.abort(code);
}

int with_memory_of(const std::filesystem::path& file, const std::function<int()>& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    throw DataError({.file = file.string()}, "needs more memory than there is");
  } catch (const std::length_error&) {
    throw DataError({.file = file.string()}, "needs more memory than there can be");
  }
}

const StopFlag& stop_on_signal() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  return stop_flag;
}

std::function<void()> end_without(const io::AtomicFolder& folder, const Session& session) {
  return [&session, part = folder.path()] {
    std::error_code ignored;
    std::filesystem::remove_all(part, ignored);
    static_cast<void>(flush_out());
    tell("stopped on request\nnothing was finished, so nothing is written\n");
    session.machines.abort(kNotSuccessful);
  };
}

double machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) {
    return 0.0;
  }
  return static_cast<double>(pages) * static_cast<double>(page_size);
}

double Stopwatch::seconds() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  return passed.count();
}

std::string Stopwatch::text() const { return study::seconds_text(seconds()); }

namespace {

constexpr auto kTick = std::chrono::milliseconds(100);
constexpr double kOverdue = 2.0;       // s after a request to stop
constexpr double kFirstGuess = 2.0;    // s before time left is worth saying
constexpr int kTicksBetweenTimes = 5;  // the time on the line moves twice a second

// "45 s", "3 min", "2.5 h"
std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5970.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace

ProgressLine::ProgressLine(const Session& session, std::string what, const StopFlag& stop,
                           std::function<void()> overdue)
    : what_(std::move(what)),
      visible_(session.speaks() && isatty(STDERR_FILENO) == 1),
      speaks_(session.machines.is_first()),
      stop_(stop),
      overdue_(std::move(overdue)) {
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // A machine that gives no thread gets no line that moves; the work itself is done.
  }
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  if (visible_) {
    std::fputs("\r\033[K", stderr);
  }
}

OnProgress ProgressLine::on_progress() {
  if (!visible_) return {};
  return [this](std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex_);
    if (total_ == 0) {
      first_done_ = done;
      first_seconds_ = stopwatch_.seconds();
    }
    done_ = done;
    total_ = total;
    finished_ = total > 1 ? fmt::format("{} of {}", done, total) : "";
    show();
  };
}

study::OnBest ProgressLine::on_best() {
  if (!visible_) return {};
  return [this](long evaluations, double cost) {
    const std::lock_guard lock(mutex_);
    best_ =
        fmt::format("best cost {:.6g} after {}", cost, study::counted(evaluations, "evaluation"));
    show();
  };
}

// Looks at the clock and at the request to stop while the work goes on.
void ProgressLine::watch() {
  std::unique_lock lock(mutex_);
  for (int tick = 1; !ended_.wait_for(lock, kTick, [this] { return end_; }); ++tick) {
    if (stop_.requested()) answer_stop();
    if (visible_ && tick % kTicksBetweenTimes == 0) show();
  }
}

void ProgressLine::answer_stop() {
  if (!stop_seconds_) {
    stop_seconds_ = stopwatch_.seconds();
    if (visible_) std::fputs("\r\033[K", stderr);
    if (speaks_) tell("stopping; a second Ctrl-C ends at once\n");
  } else if (overdue_ && stopwatch_.seconds() - *stop_seconds_ > kOverdue) {
    if (visible_) std::fputs("\r\033[K", stderr);
    overdue_();
  }
}

// What is left by the pace since the first report, else what has passed.
std::string ProgressLine::time_text() const {
  const double seconds = stopwatch_.seconds();
  if (done_ > first_done_ && total_ > 1 && seconds > kFirstGuess) {
    const double pace = (seconds - first_seconds_) / static_cast<double>(done_ - first_done_);
    return duration_text(pace * static_cast<double>(total_ - done_)) + " left";
  }
  return total_ > 1 ? std::string() : duration_text(seconds);
}

void ProgressLine::show() const {
  std::vector<std::string> parts;
  for (const std::string& part : {finished_, best_, time_text()}) {
    if (!part.empty()) parts.push_back(part);
  }
  // The only control characters that the tool writes, and only to a terminal.
  const std::string line = fmt::format("\r\033[K  {:<10} {}", what_, join(parts, ", "));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace alembert::app
