#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/detail/value.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// A swept key with the place of each value, from [monte-carlo.sweep].
struct ReadSweepKey {
  SweepKey sweep;
  std::vector<Place> places;  ///< of the values
};

/// Reads [monte-carlo.sweep]; dotted and quoted paths both serve. The keys must be of one of these
/// tables. @throws StudyError
[[nodiscard]] std::vector<ReadSweepKey> read_sweep(const TableReader& monte_carlo,
                                                   const std::vector<std::string>& tables);

/// All combinations of the swept values, by their indices; the last key changes fastest.
[[nodiscard]] std::vector<std::vector<std::size_t>> combinations(
    const std::vector<ReadSweepKey>& sweep);

/// Adds notes that are not there yet.
void add_notes(const std::vector<std::string>& from, std::vector<std::string>& notes);

/// The part of a point that identifies: what the simulated sensors measure, the structure of the
/// unknowns and the settings. `point.simulate` must be there. Problems are collected.
void read_identify_part(const TableReader& root, MonteCarloPoint& point,
                        std::vector<Problem>& problems);

/// Reads the whole study for task [monte-carlo]: each combination of swept values is set in a copy
/// of the document, as --set would, and checked and read. What is wrong is added to `problems`.
[[nodiscard]] MonteCarloStudy read_monte_carlo(const Document& document, const FileContext& files,
                                               std::vector<Problem>& problems);

}  // namespace alembert::study
