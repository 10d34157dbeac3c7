#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "alembert/identify/output_error.hpp"

namespace alembert::benchmarks {

/// A simulated identification problem with a known truth.
struct StartProblem {
  std::string name;
  model::CompiledEquations model;
  std::vector<std::string> names;
  Eigen::VectorXd truth;
  std::vector<bool> guessed;  ///< which parameters get a poor guess; the others a fair one
  identify::Experiments data;
  identify::SimulationOptions simulation;
  double noise = 0.0;  ///< standard deviation of the noise of the output
};

/// Pendulum with friction, Duffing, two-mass drive, Van der Pol, cascaded tanks, Bouc-Wen, Lorenz,
/// and a forced Duffing oscillator in chaos.
[[nodiscard]] std::vector<StartProblem> start_problems();

/// Parameters with guesses off by factors between `least` and `most`, times or over at random.
/// All that are guessed poorly are searched as logarithms if `logarithmic`, else with a bound at 0.
[[nodiscard]] std::vector<optimize::Parameter> poor_guesses(const StartProblem& problem,
                                                            double least, double most,
                                                            bool logarithmic, std::uint64_t seed);

}  // namespace alembert::benchmarks
