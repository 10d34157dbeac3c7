#pragma once

#include <optional>

#include "alembert/study/observe.hpp"

/// The steps of run_observe() around the estimation.
namespace alembert::study {

/// Finds the noise levels of greatest likelihood that the study does not give: densities of the
/// motion, one for each coordinate, and standard deviations of sensors. Looks from sample `first`
/// on (see noise_stretch) and puts them into result.study; a guess that the readings do not better
/// stays, with a warning. After a request to stop nothing of it is of use.
void fit_noise(ObserveResult& result, Eigen::Index first, const StopFlag* stop = nullptr);

/// Readings of each sensor against what was expected of them, from sample `first` on.
[[nodiscard]] std::vector<SensorScore> score_sensors(const ObserveResult& result,
                                                     Eigen::Index first);

/// Whether the covariances tell the truth, from sample `first` on.
[[nodiscard]] ConsistencyVerdict judge_consistency(const ObserveResult& result, Eigen::Index first);

/// What the sensors of a mechanism see over a workspace, in figures and words. Corners and points
/// that the workspace leaves open become those of the path; none if the mechanism cannot be
/// assembled at the start.
/// @param path samples x coordinates; more columns are not looked at.
[[nodiscard]] std::optional<SensorView> view_of_sensors(const model::planar::Mechanism& mechanism,
                                                        const Eigen::VectorXd& start,
                                                        const Eigen::MatrixXd& path,
                                                        Workspace& workspace);

/// What the sensors can see over the workspace, in figures and words.
void examine_workspace(ObserveResult& result);

}  // namespace alembert::study
