#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>

#include "alembert/estimate/kinematic_observer.hpp"

/// The slider-crank of the published comparison: crank 0.14 m, rod 0.56 m, slider along y.
namespace alembert::study {

/// What the observer believes of the mechanism.
struct CrankModel {
  double crank = 0.14;  ///< m
  double rod = 0.56;    ///< m
};
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> published_crank(
    const CrankModel& model = {});

/// Readings of encoder (0.003 rad, wrapped) and accelerometer (0.03 m/s²), and the truth in closed
/// form, at 1 kHz: θ = 12.56 t + (1.256/4π) sin 4πt.
struct CrankRecord {
  Eigen::VectorXd time;
  Eigen::MatrixXd readings;
  Eigen::MatrixXd truth;  ///< samples x (θ, θ', θ'')
};
[[nodiscard]] CrankRecord published_crank_record(double seconds, std::uint64_t seed, double bias);

/// One row of the comparison.
struct CrankCase {
  std::string name;
  CrankModel model = {};
  double bias = 0.0;  ///< m/s², of the accelerometer
  estimate::KinematicObserverOptions options = {};
  bool smooth = false;
  double scored_from = 0.5;  ///< s
  double velocity = 0.0;     ///< reference, rad/s
  double acceleration = 0.0;
};

/// Errors of one run.
struct CrankScore {
  double velocity = 0.0, acceleration = 0.0;  ///< rms
  double nis = 0.0, nees = 0.0;               ///< means; NaN for the smoother
  Eigen::VectorXd acceleration_error = {};    ///< of every sample
  bool ok = false;
};
[[nodiscard]] CrankScore score_crank(const CrankCase& one, double seconds, std::uint64_t seed);

}  // namespace alembert::study
