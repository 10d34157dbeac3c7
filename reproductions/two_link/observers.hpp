#pragma once

#include <cstdint>
#include <string>

#include "alembert/estimate/kinematic_observer.hpp"
#include "reproductions/two_link/readings.hpp"
#include "reproductions/two_link/rig.hpp"

/// Observers of the two links and their errors against the truth.
namespace alembert::reproductions::two_link {

/// Errors count from here, and to as long before the end of a test.
constexpr double kMargin = 0.5;  // s

/// One observer on one test.
struct Case {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  ///< as the observer believes it
  const Motion* motion = nullptr;                             ///< lives longer than the case
  estimate::KinematicObserverOptions options = {};
  bool smooth = false;
  EncoderError encoders = EncoderError::Counts;
  double scored_from = kMargin;  ///< s
};

/// Starts of all observers: angles of the first readings, at rest, with wide deviations.
[[nodiscard]] estimate::KinematicObserverOptions start_options(
    const model::planar::Mechanism& mechanism, const Eigen::MatrixXd& readings);

/// Errors of one run.
struct Score {
  Eigen::Vector4d rms = Eigen::Vector4d::Zero();  ///< of θ1', θ2', θ1'', θ2''
  int outputs = 0;                                ///< of the observer, what its mean NIS should be
  double nis = 0.0;                               ///< mean; NaN for a smoother, as the next three
  double angle_nees = 0.0;                        ///< mean, of θ1, θ2; should be 2
  double rate_nees = 0.0;    ///< mean, of θ1', θ2', θ1'', θ2''; should be 4
  double correlation = 0.0;  ///< largest of the whitened innovations within 20 samples
  /// What the observer believes of d1 and d2 at the end less what they are, m; rms over several
  /// runs.
  Eigen::Vector2d length_errors = Eigen::Vector2d::Zero();
  Eigen::Vector2d length_deviations = Eigen::Vector2d::Zero();  ///< as it believes; NaN if given
  Eigen::MatrixXd motion = {};                                  ///< samples x 6, as the truth
  bool ok = false;
};
[[nodiscard]] Score score_case(const Case& one, std::uint64_t seed);

/// rms of estimate - truth over the counted samples, for the columns θ1', θ2', θ1'', θ2''.
[[nodiscard]] Eigen::Vector4d rms_errors(const Motion& motion, const Eigen::MatrixXd& estimate,
                                         double scored_from = kMargin);

/// Angles, velocities and accelerations from the encoders alone, by lanczos_derivative() once and
/// twice; columns as the truth.
[[nodiscard]] Eigen::MatrixXd differentiate_encoders(const model::planar::Mechanism& mechanism,
                                                     const Motion& motion,
                                                     const Eigen::MatrixXd& readings,
                                                     Eigen::Index half_width);

}  // namespace alembert::reproductions::two_link
