#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/second_order.hpp"
#include "alembert/signal/excitation.hpp"

/// Simulated experiments on linear systems with known matrices.
namespace alembert::test {

struct RecordOptions {
  Eigen::Index samples = 3300;
  double step = 0.005;
  double knot_step = 0.05;  ///< of the spline force; 0: every sample
  double snr_db = 20.0;     ///< infinite: no noise
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;
  double clock = 0.0;  ///< s, for signal::BetweenSamples::Held: random signs held this long
};

inline Eigen::MatrixXd random_forces(Eigen::Index count, const RecordOptions& options,
                                     RandomStream& random) {
  Eigen::MatrixXd input(options.samples, count);
  for (Eigen::Index c = 0; c < count; ++c) {
    if (options.hold != signal::BetweenSamples::Held) {
      input.col(c) = signal::spline_noise(options.samples, options.step,
                                          {.knot_step = options.knot_step}, random);
      continue;
    }
    const auto held = static_cast<Eigen::Index>(std::llround(options.clock / options.step));
    double level = 1.0;
    for (Eigen::Index k = 0; k < options.samples; ++k) {
      if (k % held == 0) level = random.uniform() < 0.5 ? -1.0 : 1.0;
      input(k, c) = level;
    }
  }
  return input;
}

/// One experiment from rest; white noise on each output, by its own rms and the SNR.
inline identify::Experiment simulated_experiment(const model::SecondOrder& system,
                                                 const model::OutputMap& outputs,
                                                 const RecordOptions& options, std::uint64_t seed) {
  RandomStream random(seed);
  identify::Experiment experiment;
  experiment.step = options.step;
  experiment.input = random_forces(system.inputs(), options, random);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(system.degrees_of_freedom());
  integrate::LinearSimulationOptions simulation;
  simulation.hold = options.hold;
  experiment.output = integrate::apply(
      outputs, integrate::simulate(system, experiment.input, options.step, zero, zero, simulation));
  for (Eigen::Index c = 0; std::isfinite(options.snr_db) && c < experiment.output.cols(); ++c) {
    const double rms =
        experiment.output.col(c).norm() / std::sqrt(static_cast<double>(options.samples));
    experiment.output.col(c) +=
        rms * std::pow(10.0, -options.snr_db / 20.0) * random.normal_vector(options.samples);
  }
  return experiment;
}

/// Every coordinate in `sensed` with one kind of motion.
inline model::OutputMap sensed(Eigen::Index n, const std::vector<Eigen::Index>& coordinates,
                               model::Motion motion = model::Motion::Displacement) {
  std::vector<model::OutputChoice> choices;
  for (const Eigen::Index j : coordinates) choices.push_back({motion, j});
  return model::output_map(n, choices);
}

inline model::OutputMap all_sensed(Eigen::Index n,
                                   model::Motion motion = model::Motion::Displacement) {
  std::vector<Eigen::Index> coordinates;
  for (Eigen::Index j = 0; j < n; ++j) coordinates.push_back(j);
  return sensed(n, coordinates, motion);
}

/// ‖A - B‖/‖B‖ in the Frobenius norm.
inline double relative_error(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& truth) {
  return (actual - truth).norm() / truth.norm();
}

}  // namespace alembert::test
