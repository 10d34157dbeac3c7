#pragma once

#include "reproductions/slider_crank/cases.hpp"

/// Settings of the observers of the slider-crank, with the noise levels of the reference.
namespace alembert::reproductions::slider_crank {

/// log10 of the variances that a step adds to velocity and acceleration, outside the switch and in
/// it.
struct Levels {
  double velocity, acceleration, walk_velocity, walk_acceleration;
};
inline constexpr Levels kNarrowLevels{-6.68, -1.29, -3.70, 0.39};   ///< switch at 0.08 rad
inline constexpr Levels kMiddleLevels{-6.28, -0.55, -4.55, -1.35};  ///< at 0.25 rad
inline constexpr Levels kWideLevels{-6.03, -0.58, -4.58, -1.90};    ///< at 0.35 rad

inline constexpr double kLogJerk = 2.21;  ///< log10 of the density, rad²/s⁵
inline constexpr double kLogSnap = 5.23;  ///< rad²/s⁷
inline constexpr double kLogSmoothedJerk =
    0.5;  ///< not of the reference; the best for the smoother

[[nodiscard]] estimate::KinematicObserverOptions output_options(estimate::ObserverFilter filter,
                                                                estimate::MotionModel motion,
                                                                double log_density);

/// Scheme 1 by Euler's rule, with the switch at this distance from the dead centres.
[[nodiscard]] estimate::KinematicObserverOptions input_options(estimate::ObserverFilter filter,
                                                               double distance,
                                                               const Levels& levels);

}  // namespace alembert::reproductions::slider_crank
