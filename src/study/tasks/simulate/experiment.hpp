#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "alembert/core/random.hpp"
#include "alembert/study/simulate.hpp"
#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

/// The stream that a named part of experiment `number` (0, 1, ...) draws from. Its index is a hash
/// of "role:name", so that adding a sensor leaves the numbers of all others as they are.
[[nodiscard]] RandomStream named_stream(std::uint64_t seed, std::size_t number,
                                        const std::string& role, const std::string& name);

/// Runs one experiment and packs all that came out into one matrix, the form in which results
/// travel between machines: a column for each input, motion and sensor channel; a row for each
/// sample, then one row with the sigma and one with the clipped count of each sensor.
/// A run that failed gives a single row: status, then the message letter by letter.
[[nodiscard]] Eigen::MatrixXd packed_experiment(const SimulateStudy& study,
                                                const Simulator& simulator, std::size_t number,
                                                const StopFlag* stop);

/// Whether a packed experiment is a failure.
[[nodiscard]] bool is_failure(const Eigen::MatrixXd& packed);
/// The outcome that a failure holds.
[[nodiscard]] Outcome unpacked_failure(const Eigen::MatrixXd& packed);
/// The experiment that a packed matrix holds.
[[nodiscard]] Experiment unpacked_experiment(const SimulateStudy& study, std::size_t number,
                                             const Eigen::MatrixXd& packed);

}  // namespace alembert::study
