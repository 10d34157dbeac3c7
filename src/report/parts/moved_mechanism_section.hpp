#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A simulated mechanism: how it moves, as a drawing, a table and plots of its coordinates.
/// @param tree the result as describe() has it.
Section moved_mechanism_section(const study::SimulateResult& result,
                                const study::MovedMechanism& moved,
                                const document::ResultTree& tree);

/// What each coordinate does in words.
Table motion_table(const document::ResultTree& coordinates);
/// Coordinates and their derivatives, which are the first columns of the truth.
void add_motion_plots(const model::planar::MechanismDescription& mechanism,
                      const signal::Record& truth, Section& section);
/// Forces and torques that the truth has.
void add_force_plots(const model::planar::MechanismDescription& mechanism,
                     const signal::Record& truth, Section& section);

}  // namespace alembert::report
