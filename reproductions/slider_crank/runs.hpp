#pragma once

#include <string>
#include <vector>

#include "reproductions/reproduce.hpp"
#include "reproductions/slider_crank/rows.hpp"

/// The rows of the comparison on the slider-crank, run, and what is made of them.
namespace alembert::reproductions {

/// A row with what it gave.
struct CrankRun {
  CrankChoice choice = CrankChoice::Filter;
  CrankCase one = {};  ///< with the noise levels that were found, if they were searched
  long evaluations = 0;
  CrankScore score = {};
  bool finished = false;  ///< false after a stop
};
using CrankRuns = std::vector<CrankRun>;

/// The score of the row of this name. @throws InvalidInput if there is none.
[[nodiscard]] const CrankScore& score_of(const CrankRuns& runs, const std::string& name);

/// Claims that hold for the rows of the quick form too; with `full` those on searched levels.
[[nodiscard]] std::vector<Claim> crank_claims(const CrankRuns& runs, bool full);
/// Those on searched levels alone.
[[nodiscard]] std::vector<Claim> searched_crank_claims(const CrankRuns& runs);
/// The rule "reference +- 10 %".
[[nodiscard]] std::string within_tenth(double reference);
[[nodiscard]] std::vector<NumberTable> crank_tables(const CrankRuns& runs, bool full);
[[nodiscard]] std::vector<Figure> crank_figures(const CrankRuns& runs, bool full);

}  // namespace alembert::reproductions
