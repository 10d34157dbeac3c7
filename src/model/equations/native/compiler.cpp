#include "model/equations/native/compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "alembert/core/text.hpp"

namespace alembert::model::equations {

namespace {

constexpr std::size_t kLongSource = 32768;  // bytes; a machine with 3 states has 20000

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The absolute folders of PATH. In a relative or empty one, whoever wrote to the working folder
// would choose the programs that the compiler starts.
std::vector<std::string> program_folders() {
  const std::string path = variable("PATH");
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (begin < end && path[begin] == '/') {
      folders.push_back(path.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return folders;
}

// What a compiler needs; nothing that makes it load code or look for its parts elsewhere.
std::vector<std::string> small_environment() {
  const std::string folders = join(program_folders(), ":");
  std::vector<std::string> environment{"PATH=" + (folders.empty() ? "/usr/bin:/bin" : folders),
                                       "LC_ALL=C"};
  for (const char* name : {"HOME", "TMPDIR"}) {
    if (const std::string value = variable(name); value.starts_with('/')) {
      environment.push_back(fmt::format("{}={}", name, value));
    }
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) {
    result.push_back(word.data());
  }
  result.push_back(nullptr);
  return result;
}

// Starts a program with its output in a file.
pid_t start_program(std::vector<std::string> words, const std::string& log) {
  std::vector<std::string> environment = small_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  // A group of its own, so that what the compiler starts can be ended with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = -1;
  const std::string program = words[0];
  const int error = posix_spawn(&process, program.c_str(), &actions, &attributes,
                                pointers(words).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error(
        fmt::format("{} cannot be started: {}", program, std::strerror(error)));
  }
  return process;
}

// Waits for the end; true if the program ended with 0 in time.
bool wait_for(pid_t process, double timeout) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout);
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) {
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    // Where the process ignores its children's ends, what was written shows how it went.
    if (ended < 0 && errno != EINTR) {
      return errno == ECHILD;
    }
    if (std::chrono::steady_clock::now() > limit) {
      ::kill(-process, SIGKILL);
      ::waitpid(process, &status, 0);
      throw CompilerTimeout(fmt::format("the compiler took longer than {} s", timeout));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Compilers that failed, with their message and when: it is the machine that lets them down (no
// further processes, a full disk), hardly our source, and some wait for seconds before they say so.
// So for a while no other source is given to them.
class RecentFailures {
 public:
  [[nodiscard]] std::string reason(const std::string& compiler) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = failures_.find(compiler);
    if (found == failures_.end() || Clock::now() > found->second.when + kPatience) return "";
    return found->second.reason;
  }

  void note(const std::string& compiler, const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failures_[compiler] = {reason, Clock::now()};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kPatience{1};

  struct Failure {
    std::string reason;
    Clock::time_point when;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Failure> failures_;
};

RecentFailures& recent_failures() {
  static RecentFailures failures;
  return failures;
}

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line.substr(0, 200);
}

}  // namespace

std::string find_compiler() {
  const std::vector<std::string> folders = program_folders();
  for (const std::string_view name : {"cc", "gcc", "clang"}) {
    for (const std::string& folder : folders) {
      const std::string program = fmt::format("{}/{}", folder, name);
      if (is_program(program)) {
        return program;
      }
    }
  }
  return "";
}

std::string compiler_identity(const std::string& compiler) {
  struct stat status {};
  if (::stat(compiler.c_str(), &status) != 0) {
    return compiler;
  }
  return fmt::format("{} {} {}", compiler, status.st_size, status.st_mtime);
}

std::vector<std::string> compiler_options(std::size_t source_size) {
  // Without errno and traps roots are one instruction; no option here changes a result. Clang
  // would take exp2(x) for pow(2, x), whose last bit may differ.
  // Sensitivities gain up to a fifth from -O3, for which long sources take the compiler half as
  // long again.
  return {"-std=c99",
          source_size <= kLongSource ? "-O3" : "-O2",
          "-fPIC",
          "-shared",
          "-ffp-contract=off",
          "-w",
          "-fno-math-errno",
          "-fno-trapping-math",
          "-fno-builtin-pow"};
}

void compile(const std::string& compiler, const std::string& source, const std::string& library,
             const std::string& log, double timeout) {
  const std::string identity = compiler_identity(compiler);
  if (const std::string before = recent_failures().reason(identity); !before.empty()) {
    throw std::runtime_error(before);
  }
  std::vector<std::string> words{compiler};
  const std::vector<std::string> options = compiler_options(std::filesystem::file_size(source));
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-o", library, source, "-lm"});
  if (!wait_for(start_program(std::move(words), log), timeout)) {
    const std::string reason = fmt::format("{} failed: {}", compiler, first_line(log));
    recent_failures().note(identity, reason);
    throw std::runtime_error(reason);
  }
}

}  // namespace alembert::model::equations
