#pragma once

#include <Eigen/Core>

#include "../identify_records.hpp"
#include "alembert/identify/linear.hpp"

/// Records of two masses with known matrices.
namespace alembert::test {

inline model::SecondOrder two_masses() {
  const Eigen::Matrix2d M{{2.0, 0.0}, {0.0, 1.0}};
  const Eigen::Matrix2d K{{300.0, -100.0}, {-100.0, 100.0}};
  const Eigen::Matrix2d D = 0.1 * M + 0.001 * K;
  return {M, D, K, Eigen::Matrix2d::Identity()};
}

inline identify::Experiments two_mass_records(std::uint64_t seed = 11,
                                              model::Motion motion = model::Motion::Displacement) {
  return {simulated_experiment(two_masses(), all_sensed(2, motion),
                               {.samples = 2000, .step = 0.01, .snr_db = 30.0}, seed)};
}

}  // namespace alembert::test
