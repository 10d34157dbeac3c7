#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

/// The slider-crank of the comparison, with the lengths of the reference computation: crank 0.14 m,
/// rod 0.56 m, slider along y.
namespace alembert::reproductions::slider_crank {

/// What the observer believes of the mechanism.
struct Model {
  double crank = 0.14;                ///< m
  double rod = 0.56;                  ///< m
  double accelerometer_sigma = 0.03;  ///< m/s²
};
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> crank_mechanism(
    const Model& model = {});

/// Distance from the nearest dead centre, the angle between crank and rod: |θ - θ_rod - kπ|, at
/// most π/2.
[[nodiscard]] double dead_centre_distance(double theta);

/// Where errors are counted apart: at a distance up to 0.08 rad, up to 0.3 rad, beyond.
inline constexpr std::size_t kZones = 3;
[[nodiscard]] std::size_t zone_of(double distance);

/// Readings of encoder (0.003 rad, wrapped) and accelerometer (0.03 m/s²), and the truth in closed
/// form, at 1 kHz: θ = 12.56 t + (1.256/4π) sin 4πt.
struct Record {
  Eigen::VectorXd time;
  Eigen::MatrixXd readings;
  Eigen::MatrixXd truth;          ///< samples x (θ, θ', θ'')
  std::vector<std::size_t> zone;  ///< of every sample
};
[[nodiscard]] Record crank_record(double seconds, std::uint64_t seed, double bias);

/// rms errors.
struct Errors {
  double velocity = std::numeric_limits<double>::quiet_NaN();      ///< rad/s
  double acceleration = std::numeric_limits<double>::quiet_NaN();  ///< rad/s²
};

/// A row of the comparison, measured or of the reference; NaN where there is nothing.
struct Numbers {
  Errors all = {};
  std::array<Errors, kZones> zones = {};
  double nis = std::numeric_limits<double>::quiet_NaN();   ///< mean
  double nees = std::numeric_limits<double>::quiet_NaN();  ///< mean, of (θ, θ', θ'')
};

/// Which noise levels of a row are found with the truth at hand.
enum class Tuning {
  None,              ///< all are given
  Levels,            ///< input form: velocity and acceleration, outside and inside the switch
  Density,           ///< output form
  DensityAndSensor,  ///< and the standard deviation that the accelerometer is said to have
};

/// One observer, and what is wrong with what it believes.
struct Case {
  std::string name;
  Model model = {};
  double bias = 0.0;  ///< m/s², of the accelerometer
  estimate::KinematicObserverOptions options = {};
  bool smooth = false;
  double scored_from = 0.5;  ///< s
  Tuning tuning = Tuning::None;
  Numbers reference = {};
  bool held = false;  ///< the numbers of the reference belong to these noise levels: within 10 %
};

}  // namespace alembert::reproductions::slider_crank
