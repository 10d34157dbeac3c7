#pragma once

#include <string>
#include <vector>

#include "reproductions/reproduce.hpp"
#include "reproductions/slider_crank/rows.hpp"
#include "reproductions/slider_crank/score.hpp"

/// The rows of the comparison on the slider-crank, run, and what is made of them.
namespace alembert::reproductions::slider_crank {

/// A row with what it gave.
struct Run {
  Choice choice = Choice::Filter;
  Case one = {};  ///< with the noise levels that were found, if they were searched
  long evaluations = 0;
  Score score = {};
  bool finished = false;  ///< false after a stop
};
using Runs = std::vector<Run>;

/// The score of the row of this name. @throws InvalidInput if there is none.
[[nodiscard]] const Score& score_of(const Runs& runs, const std::string& name);
/// Its numbers in the reference computation. @throws InvalidInput if there is no such row.
[[nodiscard]] const Numbers& reference_of(const Runs& runs, const std::string& name);

/// Where the numbers of the reference come from: the thesis prints none.
inline constexpr const char* kReference =
    "reference computation: an independent program, same case, means over 4 to 6 seeds";

/// Claims that hold for the rows of the quick form too; with `full` those on searched levels.
[[nodiscard]] std::vector<Claim> claims_of(const Runs& runs, bool full);
/// Those on searched levels alone.
[[nodiscard]] std::vector<Claim> searched_claims(const Runs& runs);
[[nodiscard]] std::vector<Table> tables_of(const Runs& runs, bool full);
[[nodiscard]] std::vector<Plot> figures_of(const Runs& runs, bool full);

}  // namespace alembert::reproductions::slider_crank
