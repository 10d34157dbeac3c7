#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/identify/output_error.hpp"
#include "reproductions/benchmark_data.hpp"

/// The Bouc-Wen benchmark: a mass on a spring, a damper and a hysteretic force,
///   m y'' + c y' + k y + z = u
///   z' = α y' - β (γ |y'| |z|^(ν-1) z + δ y' |z|^ν)
/// with records simulated by its authors, 750 Hz, N and m. Equations and truth are those of
/// studies/bouc-wen/simulate.toml.
namespace alembert::reproductions::bouc_wen {

/// The parameters in their order: m, c, k, alpha, beta, gamma, delta, nu.
constexpr std::size_t kParameters = 8;
struct Parameter {
  const char* name;
  double truth;
  double guess;  ///< of [Brunot2017]
};
[[nodiscard]] const std::array<Parameter, kParameters>& parameters();

[[nodiscard]] model::CompiledEquations equations();
/// The truth, in the order of parameters().
[[nodiscard]] Eigen::VectorXd truth();

/// A multisine in steady state: its input is the sum of its lines, its motion periodic.
[[nodiscard]] identify::SimulationOptions steady();
/// From rest, with the input between samples as given.
[[nodiscard]] identify::SimulationOptions from_rest(signal::BetweenSamples between);

/// The public records: one period in steady state with noise for estimation, and two tests.
struct Data {
  identify::Experiments estimation, multisine, sweep;
};
[[nodiscard]] Data read_data(const ReproduceOptions& options);

/// Guesses from a linear model fitted to the record: half of its damping, `share` of its stiffness
/// in the spring and 1.15 less that in the hysteresis, and the published γ, δ, ν.
[[nodiscard]] std::vector<optimize::Parameter> start_of(const identify::Experiments& data,
                                                        double share);

}  // namespace alembert::reproductions::bouc_wen
