#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>

#include "alembert/study/simulate.hpp"

namespace alembert::study {

/// The stream that a named part of experiment `number` (0, 1, ...) draws from. Its index is a hash
/// of "role:name", so that adding a sensor leaves the numbers of all others as they are.
[[nodiscard]] RandomStream named_stream(std::uint64_t seed, std::size_t number,
                                        const std::string& role, const std::string& name);

/// What moves in one experiment: a column for each motion channel.
struct SimulatedMotion : Outcome {
  Eigen::MatrixXd signals;
};
/// Moves the model by the inputs, N x m; all experiments share it.
using Mover = std::function<SimulatedMotion(const Eigen::MatrixXd& inputs, const StopFlag* stop)>;
/// The mover of a linear system, whose map advances it by one step; both must outlive it.
[[nodiscard]] Mover linear_mover(const SimulateStudy& study, const integrate::OneStepMap& map);
/// The mover of equations. @throws StudyError if native code is demanded and cannot be had.
[[nodiscard]] Mover equation_mover(const SimulateStudy& study);
/// The mover of a mechanism, which has no inputs. @throws StudyError as move_mechanism().
[[nodiscard]] Mover mechanism_mover(const SimulateStudy& study);

/// Runs one experiment and packs all that came out into one matrix, the form in which results
/// travel between machines: a column for each input, motion and sensor channel; a row for each
/// sample, then one row with the sigma and one with the clipped count of each sensor.
/// A run that failed gives a single row: status, then the message letter by letter.
[[nodiscard]] Eigen::MatrixXd packed_experiment(const SimulateStudy& study, const Mover& mover,
                                                std::size_t number, const StopFlag* stop);

/// Whether a packed experiment is a failure.
[[nodiscard]] bool is_failure(const Eigen::MatrixXd& packed);
/// The outcome that a failure holds.
[[nodiscard]] Outcome unpacked_failure(const Eigen::MatrixXd& packed);
/// The experiment that a packed matrix holds.
[[nodiscard]] Experiment unpacked_experiment(const SimulateStudy& study, std::size_t number,
                                             const Eigen::MatrixXd& packed);

}  // namespace alembert::study
