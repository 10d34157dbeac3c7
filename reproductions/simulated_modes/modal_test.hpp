#pragma once

#include <Eigen/Core>
#include <array>
#include <string_view>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/signal/frf.hpp"

/// Structures whose modes are drawn, and records of tests on them.
namespace alembert::reproductions::simulated_modes {

enum class TestKind {
  Impact,  ///< hammer: a few blows at each point, one record each
  Shaker,  ///< random forces at all points at once, one record
  Ambient  ///< forces that nobody measures, one record
};
constexpr std::array<TestKind, 3> kTestKinds{TestKind::Impact, TestKind::Shaker, TestKind::Ambient};
[[nodiscard]] std::string_view name_of(TestKind kind);

constexpr double kBandFrom = 5.0;    // Hz
constexpr double kBandTo = 100.0;    // Hz
constexpr double kTestRate = 250.0;  // Hz

/// Modes of unit modal mass: q'' + 2ζω q' + ω² q = drive f, acceleration = shapes q''.
struct KnownStructure {
  Eigen::VectorXcd poles;  ///< ascending frequency, Im > 0
  Eigen::MatrixXd shapes;  ///< outputs x modes
  Eigen::MatrixXd drives;  ///< modes x inputs

  [[nodiscard]] double frequency_hz(Eigen::Index mode) const;
  [[nodiscard]] double damping_ratio(Eigen::Index mode) const;
  /// Whether the mode lies in the band of the tests.
  [[nodiscard]] bool in_band(Eigen::Index mode) const;
};

/// Nine modes in the band: eight at 10 to 88 % of it and at least 2 % apart, and one 1 % above one
/// of them; one below and one above the band. Damping 0.1 to 5 %, log-uniform; shapes normal.
[[nodiscard]] KnownStructure draw_structure(Eigen::Index outputs, Eigen::Index inputs,
                                            RandomStream& random);

/// A test and what its records can tell at best.
struct ModalTest {
  KnownStructure structure;
  std::vector<signal::InputOutput> experiments;  ///< accelerations at kTestRate
  /// Of each mode: whether its bound keeps 0.3 % of frequency and 20 % of damping.
  std::vector<bool> clear;
};

/// The test number `seed`. Numbers go through 4, 12 and 40 sensors with 1, 2 and 3 forces; the
/// noise of a seed has the same pattern at each level, below the rms response by `decibel`.
[[nodiscard]] ModalTest simulate_test(TestKind kind, double decibel, std::uint64_t seed);

}  // namespace alembert::reproductions::simulated_modes
