#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "alembert/core/progress.hpp"
#include "alembert/distributed/mpi_machines.hpp"
#include "alembert/io/atomic_folder.hpp"
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

/// Removes the folder of a result that will not be, says so and ends the program.
[[nodiscard]] std::function<void()> end_without(const io::AtomicFolder& folder,
                                                const Session& session);

/// Time since its making.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;
  /// "0.02 s"
  [[nodiscard]] std::string text() const;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Shows "  simulate   3 of 20, 12 s left" on a terminal and nothing elsewhere, the time that has
/// passed where nothing is counted, and the best cost of a search where there is one; the line goes
/// away at the end. A request to stop is answered at once, on a terminal or not.
class ProgressLine {
 public:
  /// @param overdue called where the work has not ended two seconds after a request to stop; empty:
  /// it may take its time, because it keeps what is finished.
  ProgressLine(const Session& session, std::string what, const StopFlag& stop,
               std::function<void()> overdue = {});
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// How many parts are finished; a single one is not counted.
  [[nodiscard]] OnProgress on_progress();
  /// The lowest cost so far, and after how many evaluations.
  [[nodiscard]] study::OnBest on_best();

 private:
  void watch();
  void answer_stop();
  void show() const;
  [[nodiscard]] std::string time_text() const;

  std::string what_;
  bool visible_, speaks_;
  const StopFlag& stop_;
  std::function<void()> overdue_;
  Stopwatch stopwatch_;
  mutable std::mutex mutex_;  ///< of all below
  std::condition_variable ended_;
  bool end_ = false;
  std::string finished_, best_;
  std::size_t done_ = 0, total_ = 0;
  std::size_t first_done_ = 0;  ///< of the first report: taken over from an earlier call, say
  double first_seconds_ = 0.0;
  std::optional<double> stop_seconds_;  ///< when the request to stop was seen
  std::thread watcher_;
};

}  // namespace alembert::app
