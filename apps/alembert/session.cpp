#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "alembert/core/error.hpp"
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

double machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) {
    return 0.0;
  }
  return static_cast<double>(pages) * static_cast<double>(page_size);
}

ProgressLine::ProgressLine(const Session& session, std::string what)
    : what_(std::move(what)), visible_(session.speaks() && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (visible_) {
    std::fputs("\r\033[K", stderr);
  }
}

OnProgress ProgressLine::on_progress() {
  if (!visible_) return {};
  return [this](std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex_);
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

void ProgressLine::show() const {
  const char* const between = finished_.empty() || best_.empty() ? "" : ", ";
  // The only control characters that the tool writes, and only to a terminal.
  const std::string line = fmt::format("\r\033[K  {:<10} {}{}{}", what_, finished_, between, best_);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

double Stopwatch::seconds() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  return passed.count();
}

std::string Stopwatch::text() const { return study::seconds_text(seconds()); }

}  // namespace alembert::app
