#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/study/monte_carlo.hpp"

namespace alembert::study {

/// A run among all: run by run through all points, so that a stopped study has as many of each.
struct RunIndex {
  std::size_t point = 0, run = 0;
};

/// The runs of a study as rows of numbers.
struct SpreadRuns {
  std::vector<std::pair<RunIndex, Eigen::RowVectorXd>> finished;  ///< by point, then by run
  std::size_t resumed = 0;      ///< of these, from an earlier call
  std::size_t passed_over = 0;  ///< lines of the journal that could not be used
};

/// What is spread.
struct RunsToSpread {
  std::size_t points = 1, runs = 1;                        ///< so many runs at each point
  std::string fingerprint;                                 ///< of the study, for the journal
  std::function<Eigen::RowVectorXd(const RunIndex&)> run;  ///< its first number is the status
  std::function<bool(const Eigen::RowVectorXd&)> is_run;   ///< whether a row of a journal is one
};

/// Does all runs, spread over machines and threads, but for those that the journal has; on the
/// first machine the whole, elsewhere nothing. @throws DataError as RunJournal.
[[nodiscard]] SpreadRuns spread_runs(const RunsToSpread& work, const Machines& machines,
                                     const MonteCarloOptions& options);

}  // namespace alembert::study
