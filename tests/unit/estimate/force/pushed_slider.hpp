#pragma once

// A slider-crank whose slider an unknown force pushes, with its equation by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/dual.hpp"
#include "alembert/core/random.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::pushed_slider_examples {

using model::planar::ForceKind;

inline constexpr double kL1 = 0.14, kL2 = 0.45, kHeight = 0.05;

// Encoder, accelerometer on the slider, torque on the crank; an unknown force along the slide.
inline MechanismDescription pushed_slider() {
  MechanismDescription d = slider_crank(kL1, kL2, kHeight);
  d.forces = {{.name = "drive", .of = "crank"},
              {.name = "load", .kind = ForceKind::Point, .of = "slider", .known = false}};
  d.sensors = {
      {.name = "encoder", .of = "crank", .wrap = true, .sigma = 0.003},
      {.name = "accelerometer", .kind = SensorKind::Acceleration, .of = "slider", .sigma = 0.05},
      {.name = "torque", .kind = SensorKind::Torque, .of = "drive", .sigma = 0.28}};
  return d;
}

// M(θ), U(θ) and s'(θ) from the places of the three centres, as in the textbook.
template <typename S>
struct ByHand {
  S M, U, slope;
};

template <typename S>
ByHand<S> by_hand(const S& angle) {
  using std::cos, std::sin, std::sqrt;
  const double m1 = 1.8, m2 = 3.7, m3 = 1.2;
  const S c = cos(angle), n = sin(angle);
  const S sine = (kHeight - kL1 * n) / kL2;
  const S cosine = sqrt(1.0 - sine * sine);
  const S turn = -(kL1 * c) / (kL2 * cosine);
  const S x2 = -(kL1 * n) - 0.5 * kL2 * (sine * turn), y2 = kL1 * c + 0.5 * kL2 * (cosine * turn);
  const S x3 = -(kL1 * n) - kL2 * (sine * turn);
  const S M = m1 * kL1 * kL1 / 3.0 + m2 * (x2 * x2 + y2 * y2) +
              m2 * kL2 * kL2 / 12.0 * (turn * turn) + m3 * (x3 * x3);
  return {M, 9.81 * (m1 * 0.5 * kL1 * n + m2 * 0.5 * (kL1 * n + kHeight)), x3};
}

// T = M α + ½ M' ω² + U' − F s'
inline double torque_by_hand(double angle, double w, double al, double force) {
  const auto at = by_hand(Dual<double, 1>(angle, 1.0));
  return at.M.value * al + 0.5 * at.M.slope[0] * w * w + at.U.slope[0] - force * at.slope.value;
}

struct Motion {
  Eigen::VectorXd time;
  model::planar::CoordinatePath path;
  Eigen::MatrixXd force;
};

inline Motion motion(double seconds) {
  const auto samples = static_cast<Eigen::Index>(std::lround(seconds / 1e-3)) + 1;
  Motion made{.time = Eigen::VectorXd::LinSpaced(samples, 0.0, seconds),
              .path = {Eigen::MatrixXd(samples, 1), Eigen::MatrixXd(samples, 1),
                       Eigen::MatrixXd(samples, 1)},
              .force = Eigen::MatrixXd(samples, 1)};
  const double f = 2.0 * std::numbers::pi * 0.8;
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double t = made.time(k);
    made.path.z(k, 0) = 0.4 + 6.28 * t - 0.6 / f * std::cos(f * t);
    made.path.zd(k, 0) = 6.28 + 0.6 * std::sin(f * t);
    made.path.zdd(k, 0) = 0.6 * f * std::cos(f * t);
    made.force(k, 0) = 40.0 * std::sin(2.0 * std::numbers::pi * 1.1 * t) +
                       20.0 * std::sin(2.0 * std::numbers::pi * 2.7 * t + 0.7);
  }
  return made;
}

// Readings of the motion with the noise of the sensors; the torque comes from the equation by hand.
inline Eigen::MatrixXd noisy_readings(const Mechanism& mechanism, const Motion& m,
                                      std::uint64_t seed) {
  const auto moved = model::planar::move_mechanism(mechanism, m.time, m.path);
  EXPECT_TRUE(moved.ok()) << moved.message;
  Eigen::MatrixXd readings = moved.readings;
  RandomStream random(seed);
  for (Eigen::Index k = 0; k < m.time.size(); ++k) {
    readings(k, 2) =
        torque_by_hand(m.path.z(k, 0), m.path.zd(k, 0), m.path.zdd(k, 0), m.force(k, 0));
    readings(k, 0) =
        std::remainder(readings(k, 0) + 0.003 * random.normal(), 2.0 * std::numbers::pi);
    readings(k, 1) += 0.05 * random.normal();
    readings(k, 2) += 0.28 * random.normal();
  }
  return readings;
}

}  // namespace alembert::test::pushed_slider_examples
