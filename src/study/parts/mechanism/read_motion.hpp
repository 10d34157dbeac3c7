#pragma once

#include "alembert/study/mechanism_motion.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [simulate.motion] or [simulate.start], [simulate.forces] and [simulate.constants] for the
/// mechanism of `moved`; constants that no formula uses, and conversions of units, are noted.
/// @param last time of the last sample, s, which curves of files must reach.
/// @throws StudyError for an entry that is missing or no coordinate, or for a formula, with the
///   place of the fault in its text. @throws DataError for a file.
void read_motion(const TableReader& simulate, const FileContext& files, double last,
                 MovedMechanism& moved, std::vector<std::string>& notes);

/// One law for each of these forces, zero where [simulate.forces] says nothing.
/// @throws StudyError for a force that is not among them, or for a formula.
[[nodiscard]] std::vector<ForceLaw> read_force_laws(const TableReader& simulate,
                                                    const std::vector<std::string>& names,
                                                    std::vector<std::string>& notes);

/// Coordinates and rates of [simulate.start]. @throws StudyError unless there are n of each.
[[nodiscard]] ReleasedMechanism read_released(const TableReader& start, Eigen::Index n);

}  // namespace alembert::study
