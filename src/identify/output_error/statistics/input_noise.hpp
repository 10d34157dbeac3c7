#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "identify/output_error/statistics/coloured_statistics.hpp"

/// Noise on measured inputs: whether the residuals of a fit of equations to whole records look like
/// it, and what it would do to the parameters. docs/theory/output-error.md, "Noise on inputs".
namespace alembert::identify {

/// Residuals with their derivatives, at the estimate, of experiments that differ in their inputs.
/// @throws optimize::Infeasible if one cannot be simulated.
using BlocksOf = std::function<std::vector<optimize::ColouredBlock>(const Experiments&)>;

struct InputNoise {
  double size = 0.0;      ///< over the rms of the inputs; 0: the residuals show none
  Eigen::VectorXd shift;  ///< of the fitted parameters if the noise were taken off
};

/// White noise on all inputs, in proportion to their rms, that explains the residuals better than
/// noise of the outputs alone; see ColouredOptions::shape.
[[nodiscard]] InputNoise find_input_noise(const Experiments& data, const FittedColumns& columns,
                                          const optimize::ColouredOptions& options,
                                          const BlocksOf& blocks_of);

/// The bias in words where it exceeds half a deviation, else empty.
[[nodiscard]] std::string input_noise_words(const InputNoise& noise, const FittedColumns& columns,
                                            const Eigen::VectorXd& deviations);

}  // namespace alembert::identify
