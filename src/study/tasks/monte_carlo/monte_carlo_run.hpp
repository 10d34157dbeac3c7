#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/study/monte_carlo.hpp"

namespace alembert::study {

/// A point with what all its runs share.
struct PreparedPoint {
  const MonteCarloPoint* point = nullptr;
  integrate::OneStepMap map;
  std::vector<identify::ModeVerdict> modes;  ///< of the truth
};
[[nodiscard]] PreparedPoint prepared_point(const MonteCarloPoint& point);

/// Simulates and identifies once and compares with the truth. Failures of either are in the
/// status of the run. `point` and `run` of the result are left to the caller.
[[nodiscard]] MonteCarloRun simulate_and_identify(const PreparedPoint& prepared, std::uint64_t seed,
                                                  const StopFlag* stop);

/// How far an identified system is from the truth.
void compare_with_truth(const IdentifyResult& result,
                        const std::vector<identify::ModeVerdict>& true_modes, MonteCarloRun& run);

/// A run as one row of numbers, the form in which it travels between machines and rests in the
/// journal: status, number of modes, iterations, errors, modes, then the message letter by letter.
[[nodiscard]] Eigen::RowVectorXd packed_run(const MonteCarloRun& run);
/// The run that a row holds. @throws InvalidInput if the row is no run.
[[nodiscard]] MonteCarloRun unpacked_run(const Eigen::Ref<const Eigen::RowVectorXd>& row);

}  // namespace alembert::study
