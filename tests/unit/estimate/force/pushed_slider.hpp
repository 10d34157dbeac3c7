#pragma once

// A slider-crank whose slider an unknown force pushes, with its equation by hand, and what all
// tests of its observers ask.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>

#include "alembert/core/dual.hpp"
#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
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

// The same, whose crank has a length that may be wrong.
inline std::shared_ptr<const Mechanism> slider_with_a_length() {
  MechanismDescription d = pushed_slider();
  d.parameters = {model::planar::length_parameter(d, "crank", "A", "B")};
  return std::make_shared<const Mechanism>(d);
}

inline MechanismState assembled_at(const Mechanism& mechanism, double angle) {
  MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(numbers({angle}), state).ok());
  return state;
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

// Errors of a column of forces after the first half second.
struct ForceScore {
  double rms = 0.0;           // N
  double nees = 0.0;          // mean of (error / deviation)², 1 for a right filter
  double smoothed_rms = 0.0;  // NaN without smoothing
};

inline ForceScore score_force(const estimate::ObserverEstimate& estimate, Eigen::Index column,
                              const Motion& m) {
  const Eigen::Index rest = m.time.size() - 500;
  const auto rms_of = [&](const Eigen::MatrixXd& means) {
    if (means.rows() == 0) return std::numeric_limits<double>::quiet_NaN();
    const Eigen::VectorXd error = (means.col(column) - m.force.col(0)).tail(rest);
    return std::sqrt(error.squaredNorm() / static_cast<double>(rest));
  };
  const Eigen::ArrayXd error = (estimate.mean.col(column) - m.force.col(0)).tail(rest).array();
  return {.rms = rms_of(estimate.mean),
          .nees = (error / estimate.deviation.col(column).tail(rest).array()).square().mean(),
          .smoothed_rms = rms_of(estimate.smoothed_mean)};
}

// A Jacobian against central differences; the tolerance is in parts of its largest entry and of 1.
inline void expect_slopes(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& function,
                          const Eigen::VectorXd& x, const Eigen::MatrixXd& J, double tolerance) {
  const double h = 1e-6;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(x.size(), j);
    EXPECT_TRUE(matrices_near(J.col(j), (function(x + e) - function(x - e)) / (2.0 * h),
                              {.abs = tolerance * (1.0 + J.cwiseAbs().maxCoeff())}))
        << j;
  }
}

// Steps of an observer of the pushed slider allocate nothing after the first.
inline void expect_no_allocations(const estimate::KinematicObserverOptions& options) {
  if (!counts_allocations()) GTEST_SKIP();
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(0.1);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  estimate::KinematicObserver observer(mechanism, options);
  Eigen::VectorXd row = readings.row(0);
  (void)observer.step(0.0, as_span(row));
  const std::size_t before = allocation_count();
  for (Eigen::Index k = 1; k < m.time.size(); ++k) {
    for (Eigen::Index i = 0; i < 3; ++i) row(i) = readings(k, i);
    (void)observer.step(1e-3, as_span(row));
  }
  EXPECT_EQ(allocation_count(), before);
}

// What no observer of forces can do without, named by the one that `made` makes of a description.
inline void expect_missing_named(const std::string& name,
                                 const std::function<void(const MechanismDescription&)>& made) {
  MechanismDescription d = pushed_slider();
  d.sensors.pop_back();
  EXPECT_EQ(message_of([&] { made(d); }),
            name +
                ": force 'drive' must have a sensor of kind force or torque, or be unknown, "
                "got none");
  d = pushed_slider();
  d.forces.push_back({.name = "wind", .kind = ForceKind::Point, .of = "rod", .known = false});
  EXPECT_EQ(message_of([&] { made(d); }),
            name +
                ": unknown forces must be at most as many as coordinates, 1: no record tells "
                "more of them apart, got 2");
  d = pushed_slider();
  d.sensors.push_back(d.sensors.back());
  d.sensors.back().name = "second";
  EXPECT_EQ(message_of([&] { made(d); }), name + ": force 'drive' must have one sensor, got 2");
  d = pushed_slider();
  for (Body& body : d.bodies) body.mass = body.inertia = 0.0;
  EXPECT_EQ(message_of([&] { made(d); }),
            name + ": masses must be given where forces are sought, got none");
}

}  // namespace alembert::test::pushed_slider_examples
