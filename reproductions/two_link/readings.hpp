#pragma once

#include <cstdint>

#include "reproductions/two_link/motion.hpp"

/// What the sensors of the rig read in a test.
namespace alembert::reproductions::two_link {

enum class EncoderError {
  Counts,   ///< as on the rig: whole counts
  Gaussian  ///< of the same variance, step²/12, for comparison
};

/// Readings as the sensors of make_rig() give them: counts of the encoders, whose edges lie at
/// places that the seed chooses and the reading knows; accelerations with noise and converter
/// steps.
[[nodiscard]] Eigen::MatrixXd read_sensors(const Motion& motion, std::uint64_t seed,
                                           EncoderError encoders = EncoderError::Counts);

}  // namespace alembert::reproductions::two_link
