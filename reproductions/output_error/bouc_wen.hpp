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
/// with records simulated by its authors, 750 Hz, N and m.
namespace alembert::reproductions {

/// The parameters in their order: m, c, k, alpha, beta, gamma, delta, nu.
constexpr std::size_t kBoucWenParameters = 8;
struct BoucWenParameter {
  const char* name;
  double truth;
  double guess;  ///< of [Brunot2017]
};
[[nodiscard]] const std::array<BoucWenParameter, kBoucWenParameters>& bouc_wen_parameters();

[[nodiscard]] model::CompiledEquations bouc_wen_model();
/// The truth, in the order of bouc_wen_parameters().
[[nodiscard]] Eigen::VectorXd bouc_wen_truth();

/// A multisine in steady state: its input is the sum of its lines, its motion periodic.
[[nodiscard]] identify::SimulationOptions steady_bouc_wen();
/// From rest, with the input between samples as given.
[[nodiscard]] identify::SimulationOptions bouc_wen_from_rest(identify::Interpolation between);

/// The public records: one period in steady state with noise for estimation, and two tests.
struct BoucWenData {
  identify::Experiments estimation, multisine, sweep;
};
[[nodiscard]] BoucWenData read_bouc_wen(const ReproduceOptions& options);

/// Guesses from a linear model fitted to the record: half of its damping, `share` of its stiffness
/// in the spring and 1.15 less that in the hysteresis, and the published γ, δ, ν.
[[nodiscard]] std::vector<optimize::Parameter> bouc_wen_start(const identify::Experiments& data,
                                                              double share);

}  // namespace alembert::reproductions
