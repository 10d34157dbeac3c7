#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/study/detail/value.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/simulate.hpp"

/// The task [monte-carlo] around any other task: a simulation makes a record, the task works on it,
/// and what it finds is held against the truth; many times.
namespace alembert::study {

/// One combination of the swept values.
struct RepeatPoint {
  std::vector<std::size_t> values;      ///< index of the value of each swept key
  SimulateStudy simulate;               ///< makes the record of every run
  Document task;                        ///< the study of the task, which each run reads anew
  std::map<std::string, double> truth;  ///< true values of parameters, by name
};

/// Everything that the task needs, read from a study and checked.
struct RepeatStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::string simulation;              ///< file of the simulated study; "" if it is this one
  std::string task;                    ///< table of the repeated task, "observe"
  std::string method;                  ///< its method where its table names one, else ""
  std::size_t runs = 1;                ///< at each point
  std::uint64_t seed = 1;
  std::vector<SweepKey> sweep;      ///< none, one or two
  std::vector<RepeatPoint> points;  ///< the last key changes fastest; one without a sweep
  std::vector<std::string> notes;
  std::string fingerprint;  ///< of all that a run depends on; not of `runs`
};

/// A parameter that one run found. Numbers that are not known are NaN.
struct RunEstimate {
  std::string name, unit;
  double value = 0.0, deviation = 0.0;
  double margin = 0.0;  ///< half of the 95 % interval; NaN: 1.96 deviations
  double truth = 0.0;
};

/// A state that one run observed, against its truth.
struct RunState {
  std::string name, unit;
  double bias = 0.0, rms = 0.0, reported = 0.0, covered = 0.0;
  double nees = 0.0;       ///< mean of (error/deviation)²
  double effective = 0.0;  ///< independent samples
};

/// All states of one run together.
struct RunNees {
  double mean = 0.0, expected = 0.0, effective = 0.0;
};

/// What one run found.
struct RunFigures {
  std::vector<RunEstimate> estimates;
  std::vector<RunState> states;
  std::optional<RunNees> nees;
};

/// Takes from the description of any result what [monte-carlo] makes statistics of:
/// - items of a list "parameters" or "unknowns" with name, value and deviation, and where they have
///   them unit, margin and truth; fixed and tied ones (role) are left out;
/// - items of "truth/states" and the group "truth/nees", as [observe] describes them.
/// A task that describes its result so can be repeated.
[[nodiscard]] RunFigures figures_of(const document::ResultTree& result);

/// One finished run.
struct RepeatRun : Outcome, RunFigures {
  std::size_t point = 0;
  std::size_t run = 0;                  ///< 0, 1, ...
  TrustLevel trust = TrustLevel::Good;  ///< the verdict of the task
};

/// One parameter over the successful runs. NaN where nothing is known.
struct EstimateStatistics {
  std::string name, unit;
  std::size_t runs = 0;                               ///< that found it
  double truth = 0.0;                                 ///< NaN: not known
  double mean = 0.0;                                  ///< of the values
  double bias = 0.0;                                  ///< mean - truth
  double bias_deviation = 0.0;                        ///< standard deviation of the mean
  double scatter = 0.0;                               ///< standard deviation of the values
  double reported = 0.0;                              ///< rms of the reported deviations
  double ratio = 0.0;                                 ///< scatter / reported: 1 if these are honest
  double coverage = 0.0;                              ///< share of truths inside the 95 % intervals
  double coverage_lower = 0.0, coverage_upper = 0.0;  ///< 95 % interval of that share
  double coverage_chance = 0.0;  ///< probability of a share as low or lower if they are honest
};

/// One state over the successful runs.
struct StateStatistics {
  std::string name, unit;
  std::size_t runs = 0;
  double bias = 0.0;                          ///< mean over the runs
  double rms = 0.0;                           ///< error, all runs together
  double reported = 0.0;                      ///< rms of the reported deviations
  double covered = 0.0;                       ///< share of errors within 1.96 deviations
  double nees = 0.0;                          ///< mean, expected 1
  double nees_lower = 0.0, nees_upper = 0.0;  ///< its 95 % band, runs being independent
};

/// All states together over the successful runs.
struct NeesStatistics {
  double mean = 0.0, expected = 0.0;
  double lower = 0.0, upper = 0.0;  ///< 95 % band of the mean: χ²(Σ n N_eff)/Σ N_eff
  double inside = 0.0;              ///< share of the runs inside their own band
  bool consistent = false;
};

/// All runs at one combination of swept values.
struct RepeatStatistics {
  std::size_t runs = 0;       ///< finished
  std::size_t converged = 0;  ///< with status success; the statistics are over these
  std::vector<FailureCount> failures;
  std::size_t good = 0, caution = 0, bad = 0;  ///< verdicts of the finished runs
  std::vector<EstimateStatistics> estimates;
  std::vector<StateStatistics> states;
  std::optional<NeesStatistics> nees;
};
[[nodiscard]] RepeatStatistics repeat_statistics(const std::vector<const RepeatRun*>& runs);

/// The result. Status Stopped: runs are missing. NotConverged: no run at all succeeded.
struct RepeatResult : Outcome {
  RepeatStudy study;
  std::vector<RepeatRun> runs;  ///< finished ones, by point, then by run
  std::vector<RepeatStatistics> points;
  std::vector<std::string> warnings;
  Verdict verdict;              ///< on the deviations of the task, and on runs that failed
  std::size_t resumed = 0;      ///< runs that an earlier call had finished
  std::size_t passed_over = 0;  ///< lines of its journal that could not be used
};

/// Simulates, does the task and compares, spread over machines and threads; the whole result is on
/// the first machine. Run r at every point draws from run_seed(seed, r). The result does not
/// depend on the number of workers, nor on how often the work was interrupted.
/// @throws DataError if the journal cannot be written or another process holds it.
RepeatResult run_repeat(const RepeatStudy& study, const Machines& machines,
                        const MonteCarloOptions& options = {});

/// One run: the simulation with this seed, then the task. Failures are in its status.
[[nodiscard]] RepeatRun repeat_once(const RepeatStudy& study, std::size_t point, std::uint64_t seed,
                                    const StopFlag* stop = nullptr);

/// All that result.json says, and what tables on a terminal and in a report are made of.
[[nodiscard]] document::ResultTree describe(const RepeatResult& result);

/// Writes result.json and runs.csv into an existing folder.
/// @throws DataError if a file cannot be written.
void write_repeat_result(const RepeatResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
