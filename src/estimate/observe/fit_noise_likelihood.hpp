#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

/// How likely the readings are for given noise levels.
namespace alembert::estimate {

/// Samples [first, end) whose readings are counted; those before only let the filter settle.
struct NoiseStretch {
  Eigen::Index first = 0, end = 0;
};

/// What is sought in one search.
struct NoiseSearch {
  Eigen::Ref<const Eigen::VectorXd> time;                     ///< of the samples, s
  Eigen::Ref<const Eigen::MatrixXd> readings;                 ///< samples x sensors
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the caller
  KinematicObserverOptions options;
  MotionModel motion;
  bool density = false;      ///< one for each coordinate
  std::vector<int> sensors;  ///< whose standard deviations are sought
  NoiseStretch stretch;
  const StopFlag* stop = nullptr;
};

/// Levels of the motion: a density for each coordinate or, in the dynamic form, the variance q that
/// a step adds to accelerations; velocities get what these do in a step, q Δt².
[[nodiscard]] int motion_levels(const NoiseSearch& search);

/// Unknown forces whose densities are sought, which stand behind those of the motion.
[[nodiscard]] int fitted_forces(const NoiseSearch& search);

/// The observer of a search: levels are densities, where they are sought, then a standard deviation
/// for each sensor.
struct NoiseTrial {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the observer
  KinematicObserverOptions options;
};
[[nodiscard]] NoiseTrial noise_trial(const NoiseSearch& search, const Eigen::VectorXd& levels);

/// ln p of the readings of a sample. One that the gate keeps out counts as if it were at its limit,
/// so that nothing is gained by calling it an outlier. @param limit of the gate.
[[nodiscard]] double bounded_likelihood(const Innovation<double, Eigen::Dynamic>& innovation,
                                        const UpdateReport& report, double limit);
/// Of the square of one normalised innovation; 0 without a gate.
[[nodiscard]] double gate_limit(const GateOptions& gate);

/// ln p of the readings of the stretch; -infinity if the filter fails or is asked to stop.
[[nodiscard]] double noise_likelihood(const NoiseSearch& search, const Eigen::VectorXd& levels);

/// The samples that a search looks at: at most 2500 from `first` on. If a sensor has few readings
/// there, the later stretch of that length in which the sensor with the fewest has most.
[[nodiscard]] NoiseStretch noise_stretch(const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                         const std::vector<int>& sensors, Eigen::Index first);

/// Readings of a sensor within a stretch.
[[nodiscard]] Eigen::Index readings_within(const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                           int sensor, const NoiseStretch& stretch);

}  // namespace alembert::estimate
