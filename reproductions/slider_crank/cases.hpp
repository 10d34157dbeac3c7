#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

/// The slider-crank of the published comparison: crank 0.14 m, rod 0.56 m, slider along y.
namespace alembert::reproductions {

/// What the observer believes of the mechanism.
struct CrankModel {
  double crank = 0.14;                ///< m
  double rod = 0.56;                  ///< m
  double accelerometer_sigma = 0.03;  ///< m/s²
};
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> published_crank(
    const CrankModel& model = {});

/// Distance from the nearest dead centre, the angle between crank and rod: |θ - θ_rod - kπ|, at
/// most π/2.
[[nodiscard]] double dead_centre_distance(double theta);

/// Where errors are counted apart: at a distance up to 0.08 rad, up to 0.3 rad, beyond.
inline constexpr std::size_t kCrankZones = 3;
[[nodiscard]] std::size_t crank_zone(double distance);

/// Readings of encoder (0.003 rad, wrapped) and accelerometer (0.03 m/s²), and the truth in closed
/// form, at 1 kHz: θ = 12.56 t + (1.256/4π) sin 4πt.
struct CrankRecord {
  Eigen::VectorXd time;
  Eigen::MatrixXd readings;
  Eigen::MatrixXd truth;          ///< samples x (θ, θ', θ'')
  std::vector<std::size_t> zone;  ///< of every sample
};
[[nodiscard]] CrankRecord published_crank_record(double seconds, std::uint64_t seed, double bias);

/// rms errors.
struct CrankErrors {
  double velocity = std::numeric_limits<double>::quiet_NaN();      ///< rad/s
  double acceleration = std::numeric_limits<double>::quiet_NaN();  ///< rad/s²
};

/// A row of the comparison, measured or published; NaN where there is nothing.
struct CrankNumbers {
  CrankErrors all = {};
  std::array<CrankErrors, kCrankZones> zones = {};
  double nis = std::numeric_limits<double>::quiet_NaN();   ///< mean
  double nees = std::numeric_limits<double>::quiet_NaN();  ///< mean, of (θ, θ', θ'')
};

/// Which noise levels of a row are found with the truth at hand.
enum class CrankTuning {
  None,              ///< all are given
  Levels,            ///< input form: velocity and acceleration, outside and inside the switch
  Density,           ///< output form
  DensityAndSensor,  ///< and the standard deviation that the accelerometer is said to have
};

/// One observer, and what is wrong with what it believes.
struct CrankCase {
  std::string name;
  CrankModel model = {};
  double bias = 0.0;  ///< m/s², of the accelerometer
  estimate::KinematicObserverOptions options = {};
  bool smooth = false;
  double scored_from = 0.5;  ///< s
  CrankTuning tuning = CrankTuning::None;
  CrankNumbers published = {};
  bool held = false;  ///< the published numbers belong to these noise levels: within 10 %
};

/// Errors of a run, or their means over runs.
struct CrankScore : CrankNumbers {
  Eigen::VectorXd acceleration_error = {};  ///< of every sample
  bool ok = false;
};
[[nodiscard]] CrankScore score_crank(const CrankCase& one, const CrankRecord& record);

/// Only the errors, NaN if the observer fails: faster.
[[nodiscard]] CrankErrors crank_errors(const CrankCase& one, const CrankRecord& record);

/// Means over the seeds 1..seeds; the acceleration error is that of seed 1.
[[nodiscard]] CrankScore mean_crank_score(const CrankCase& one, double seconds, int seeds);

}  // namespace alembert::reproductions
