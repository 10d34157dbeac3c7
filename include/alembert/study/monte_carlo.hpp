#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/core/distributed.hpp"
#include "alembert/core/status.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"

/// The task [monte-carlo]: simulate, identify, compare with the truth, many times.
namespace alembert::study {

/// A key of the study that changes.
struct SweepKey {
  std::string key;                  ///< dotted path
  std::vector<std::string> values;  ///< as TOML text
  std::vector<std::string> labels;  ///< for readers: texts without quotes
  Eigen::VectorXd numbers;          ///< the same as numbers; empty if one is not a number
};

/// One combination of the swept values: what is simulated and how it is identified.
struct MonteCarloPoint {
  std::vector<std::size_t> values;  ///< index of the value of each swept key
  SimulateStudy simulate;           ///< its model is the truth
  IdentifyStudy identify;           ///< without data, which each run brings
  /// Column of the simulated record (inputs, then sensors) behind each input and each output.
  std::vector<Eigen::Index> input_columns, output_columns;
};

/// Everything that [monte-carlo] needs, read from a study and checked.
struct MonteCarloStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::size_t runs = 1;                ///< at each point
  std::uint64_t seed = 1;
  std::vector<SweepKey> sweep;          ///< none, one or two
  std::vector<MonteCarloPoint> points;  ///< the last key changes fastest; one without a sweep
  std::vector<std::string> notes;
  std::string fingerprint;  ///< of all that a run depends on; not of `runs`
};

/// The seed of [simulate] in run 0, 1, ...: a pure function of its arguments, below 2⁵³ so that
/// it survives JSON and spreadsheets.
[[nodiscard]] std::uint64_t run_seed(std::uint64_t seed, std::size_t run);

/// What is compared with the truth: the matrices, and all modes together.
enum class Compared { Mass, Damping, Stiffness, Frequencies, DampingRatios };
inline constexpr std::size_t kComparedCount = 5;
/// The name used in results: "mass", "damping", "stiffness", "frequencies", "damping_ratios".
[[nodiscard]] std::string to_string(Compared quantity);

/// One quantity of one run. Numbers that are not known are NaN.
struct RunError {
  double error = 0.0;     ///< |X̂ - X|/|X| (Frobenius); for modes rms of (x̂ - x)/x
  double reported = 0.0;  ///< the same from the reported standard deviations
  double counted = 0.0;   ///< entries or modes with a standard deviation
  double covered = 0.0;   ///< of these, the truth inside the 95 % interval
  double squares = 0.0;   ///< Σ ((x̂ - x)/σ)² over the counted ones
};

/// One finished run. Its status is that of the simulation if that failed, else of the
/// identification.
struct MonteCarloRun : Outcome {
  std::size_t point = 0;
  std::size_t run = 0;  ///< 0, 1, ...
  int iterations = 0;   ///< of the refinement
  std::array<RunError, kComparedCount> errors{};
  /// Modes in ascending frequency, Hz and ratios; empty if the count differs from the truth's.
  Eigen::VectorXd frequency, frequency_deviation, damping, damping_deviation;
};

/// Statistics of errors over the successful runs; NaN where there is none.
struct ErrorStatistics {
  double median = 0.0, mean = 0.0, rms = 0.0;
  double p5 = 0.0, p95 = 0.0;  ///< percentiles
  double reported = 0.0;       ///< rms of the reported deviations
  double ratio = 0.0;          ///< rms of error/deviation over all entries: 1 if they are honest
  double coverage = 0.0;       ///< share of truths inside the 95 % intervals
  double coverage_lower = 0.0, coverage_upper = 0.0;  ///< 95 % interval of that share
  double coverage_chance = 0.0;  ///< probability of a share as low or lower if they are honest
};

/// One mode over the successful runs that found as many modes as there are.
struct ModeStatistics {
  double frequency = 0.0, damping = 0.0;            ///< true, Hz and ratio
  double frequency_bias = 0.0, damping_bias = 0.0;  ///< mean error
  double frequency_rms = 0.0, damping_rms = 0.0;    ///< rms error
  double frequency_reported = 0.0, damping_reported = 0.0;
  double frequency_coverage = 0.0, damping_coverage = 0.0;
};

/// Runs that ended alike.
struct FailureCount {
  Status status = Status::Success;
  std::size_t count = 0;
  std::size_t first_run = 0;
  std::string message;  ///< of the first one
};

/// All runs at one combination of swept values.
struct PointStatistics {
  std::size_t runs = 0;       ///< finished
  std::size_t converged = 0;  ///< with status success; the statistics are over these
  std::vector<FailureCount> failures;
  std::array<ErrorStatistics, kComparedCount> errors{};
  std::vector<ModeStatistics> modes;
};

/// The result of [monte-carlo]. Status Stopped: runs are missing. NotConverged: no run at all
/// succeeded.
struct MonteCarloResult : Outcome {
  MonteCarloStudy study;
  std::vector<MonteCarloRun> runs;  ///< finished ones, by point, then by run
  std::vector<PointStatistics> points;
  std::vector<std::string> warnings;
  std::size_t resumed = 0;      ///< runs that an earlier call had finished
  std::size_t passed_over = 0;  ///< lines of its journal that could not be used
};

/// What was taken over from an earlier call that was interrupted, in a sentence; "" if nothing.
[[nodiscard]] std::string journal_words(std::size_t resumed, std::size_t passed_over,
                                        std::size_t runs);

/// How to run.
struct MonteCarloOptions {
  int threads = 0;  ///< 0: all cores
  OnProgress on_progress = {};
  const StopFlag* stop = nullptr;
  /// File to which every finished run is appended and from which they are taken up again; other
  /// processes of a job append to names that begin like it. "": none.
  std::filesystem::path journal = {};
};

/// Simulates, identifies and compares, spread over machines and threads; the whole result is on
/// the first machine. Run r at every point draws from run_seed(seed, r). The result does not
/// depend on the number of workers, nor on how often the work was interrupted.
/// @throws DataError if the journal cannot be written or another process holds it.
MonteCarloResult run_monte_carlo(const MonteCarloStudy& study, const Machines& machines,
                                 const MonteCarloOptions& options = {});

/// Removes the journal and those of the other processes: to be called when the result is safe.
void remove_journal(const std::filesystem::path& journal);

/// The share with its 95 % interval by Wilson's score method: that of `successes` in `trials`.
struct ShareInterval {
  double share = 0.0, lower = 0.0, upper = 0.0;
};
[[nodiscard]] ShareInterval wilson_interval(double successes, double trials);

/// The probability of `misses` or more in `trials` independent trials, each missed with
/// probability `rate`: Σ C(n, i) rateⁱ (1 - rate)ⁿ⁻ⁱ over i >= misses, 0 < rate < 1.
[[nodiscard]] double chance_of_misses(std::size_t misses, std::size_t trials, double rate);

/// The p-quantile of a sample, linear between order statistics; NaN for an empty one.
[[nodiscard]] double sample_quantile(std::vector<double> values, double p);

/// Statistics of the runs of one point. Only finished runs of that point are looked at.
///
/// The entries of one run hang together. The interval of the coverage is therefore that of as many
/// independent trials as give the scatter seen between runs: n = c (1 - c) R / s², c the coverage,
/// s² the variance of the runs' shares, between the number of runs R and of all entries.
[[nodiscard]] PointStatistics point_statistics(const model::SecondOrder& truth,
                                               const std::vector<const MonteCarloRun*>& runs);

/// All that result.json says, and what tables on a terminal and in a report are made of.
[[nodiscard]] document::ResultTree describe(const MonteCarloResult& result);

/// Writes result.json and runs.csv into an existing folder.
/// @throws DataError if a file cannot be written.
void write_monte_carlo_result(const MonteCarloResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
