#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "alembert/core/progress.hpp"
#include "alembert/distributed/mpi_machines.hpp"
#include "alembert/study/run_options.hpp"

namespace alembert::app {

/// Exit codes of the tool.
inline constexpr int kDone = 0;
inline constexpr int kNotSuccessful = 1;  ///< it ran, but the status is not success
inline constexpr int kBadUsage = 2;       ///< of the command line or the study
inline constexpr int kBadData = 3;

/// One call of the tool: the machines it runs on and who may speak.
struct Session {
  MpiMachines machines;
  bool quiet = false;

  /// Whether this process prints to standard output.
  [[nodiscard]] bool speaks() const { return machines.is_first() && !quiet; }
};

/// Prints one line of an error to standard error and ends with the code; under mpirun this ends
/// the other processes too, and an error that all meet is printed once.
[[noreturn]] void fail(const Session& session, const std::string& line, int code);

/// Calls a function; where memory runs out, that is an error of the file that asked for so much.
/// @throws DataError then.
int with_memory_of(const std::filesystem::path& file, const std::function<int()>& function);

/// Makes Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 set a flag that long loops read; a second signal ends
/// the program at once. SIGUSR1 is the one that mpirun and batch systems pass on. Returns the flag.
const StopFlag& stop_on_signal();

/// Bytes of memory that this machine has; 0 where it does not say.
[[nodiscard]] double machine_memory();

/// Shows "  simulate   3 of 20" on a terminal and nothing elsewhere, and the best cost of a search
/// where there is one; the line goes away at the end.
class ProgressLine {
 public:
  ProgressLine(const Session& session, std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// How many parts are finished; a single one is not counted.
  [[nodiscard]] OnProgress on_progress();
  /// The lowest cost so far, and after how many evaluations.
  [[nodiscard]] study::OnBest on_best();

 private:
  void show() const;

  std::string what_;
  bool visible_;
  std::mutex mutex_;  ///< of the texts below
  std::string finished_, best_;
};

/// Time since its making.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;
  /// "0.02 s"
  [[nodiscard]] std::string text() const;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace alembert::app
