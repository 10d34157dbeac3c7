#include "io/confined/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "alembert/core/error.hpp"
#include "io/file/memory_limit.hpp"

namespace alembert::io {

namespace {

// Reading takes less than a second a hundred megabytes; slow disks and machines are allowed for.
constexpr std::chrono::seconds kSecondsAlways{5};
constexpr std::uintmax_t kBytesASecond = 1'000'000;
// Seconds by the clock for one of the processor: beyond that nobody waits, however busy the
// machine.
constexpr int kSecondsByTheClock = 3;
// Beside the numbers: the library's own memory.
constexpr std::uintmax_t kMemoryAlways = std::uintmax_t{256} << 20U;
// A pipe of this size lets both processes work for a while between switches.
constexpr int kPipeBytes = 1 << 20;

// Bytes of address space that this process has; 0 where the system does not say.
std::uintmax_t address_space() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  const int found = std::fscanf(file, "%llu", &pages);
  std::fclose(file);
  return found == 1 ? pages * static_cast<std::uintmax_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void lower_limit(int resource, std::uintmax_t value) {
  struct rlimit limit {};
  if (getrlimit(resource, &limit) != 0) return;
  const auto wanted = static_cast<rlim_t>(value);
  if (limit.rlim_cur == RLIM_INFINITY || wanted < limit.rlim_cur) limit.rlim_cur = wanted;
  if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max) limit.rlim_max = wanted;
  setrlimit(resource, &limit);
}

// Where a signal was to set a flag that nobody reads here, it ends the process.
void take_default_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGSEGV, SIGBUS, SIGABRT, SIGXCPU}) {
    std::signal(number, SIG_DFL);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// What libraries print when they break is not for the user.
void silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void run(int pipe, const std::function<void(PipeWriter&)>& work) {
  PipeWriter writer(pipe);
  try {
    work(writer);
  } catch (...) {
    _exit(1);  // the other end misses the rest
  }
  _exit(0);
}

}  // namespace

TimeLimits time_limits(std::uintmax_t bytes) {
  const std::chrono::seconds processor =
      kSecondsAlways + std::chrono::seconds(bytes / kBytesASecond);
  return {.processor = processor, .clock = kSecondsByTheClock * processor};
}

Child::Child(std::string file, const TimeLimits& time, const ReadLimits& limits,
             const std::function<void(PipeWriter&)>& work)
    : file_(std::move(file)), memory_(memory_limit(limits)), time_(time) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw DataError({.file = file_},
                    fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  }
  fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
  // Twice: an array stands beside the record that it becomes a part of.
  const std::uintmax_t space = address_space() + 2 * memory_ + kMemoryAlways;
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    take_default_signals();
    silence();
    lower_limit(RLIMIT_AS, space);
    lower_limit(RLIMIT_CPU, static_cast<std::uintmax_t>(time_.processor.count()));
    lower_limit(RLIMIT_CORE, 0);
    run(ends[1], work);
  }
  const int code = errno;
  close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    close(pipe_);
    throw DataError({.file = file_}, fmt::format("no process to read it in: {}",
                                                 std::generic_category().message(code)));
  }
}

Child::~Child() {
  close(pipe_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    wait();
  }
}

PipeReader Child::reader() const { return {pipe_, 3 * memory_ + kMemoryAlways, time_.clock}; }

int Child::wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void Child::fail() {
  const int status = wait();
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string reason =
      number == SIGXCPU || (number == SIGKILL)
          ? fmt::format("reading it was ended after {} s or by the system (broken file?)",
                        time_.processor.count())
      : number > 0 ? fmt::format("brings its library down (signal {}): a broken file", number)
                   : "gives no numbers: a broken file";
  throw DataError({.file = file_}, reason);
}

void Child::fail_late() {
  kill(process_, SIGKILL);
  wait();
  throw DataError({.file = file_},
                  fmt::format("reading it was ended after {} s by the clock (broken file, or a "
                              "machine with too much to do)",
                              time_.clock.count()));
}

}  // namespace alembert::io
