#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/identify/refine.hpp"

/// How far an identified system can be trusted.
namespace alembert::identify {

/// A mode of the identified system with standard deviations by first-order propagation.
struct ModeVerdict {
  double frequency_hz = 0.0, frequency_deviation = 0.0;  ///< undamped, |λ|/2π, both in Hz
  double damping = 0.0, damping_deviation = 0.0;         ///< ratio -Re λ/|λ|
  Eigen::VectorXcd shape;                                ///< complex, largest entry 1
  Eigen::VectorXd shape_deviation;  ///< standard deviation of each |entry| component
};
/// Modes in ascending frequency; overdamped pairs are left out.
[[nodiscard]] std::vector<ModeVerdict> mode_verdicts(
    const model::SecondOrder& system, const Eigen::Ref<const Eigen::MatrixXd>& matrix_covariance);

/// Standard deviation of each entry of M, D, K.
[[nodiscard]] Matrices entry_deviations(const Eigen::Ref<const Eigen::MatrixXd>& matrix_covariance);

/// Residuals of one output.
struct ResidualVerdict {
  double fit = 0.0;  ///< 100 (1 - |y - ŷ|/|y - mean y|), %
  double rms = 0.0;
  /// Ljung-Box statistic / its 95 % bound, over `lags` lags but at most a quarter as many as there
  /// are samples; NaN for fewer than 20 samples, which cannot tell.
  double whiteness = 0.0;
  double whiteness_p = 0.0;     ///< its p-value
  Eigen::VectorXd correlation;  ///< normalised, at lags 0..lags; NaN where no pair is measured
};
[[nodiscard]] std::vector<ResidualVerdict> residual_verdicts(
    const Experiments& data, const std::vector<Eigen::MatrixXd>& residuals, Eigen::Index lags = 25);

/// Whether residuals are white: none of the outputs fails, or some have too few samples.
enum class Whiteness { White, Coloured, Unknown };
constexpr auto enum_names(Whiteness) {
  return std::to_array<EnumName<Whiteness>>({{Whiteness::White, "white"},
                                             {Whiteness::Coloured, "not white"},
                                             {Whiteness::Unknown, "too few to judge"}});
}
/// "white", "not white", "too few to judge".
[[nodiscard]] std::string_view to_string(Whiteness whiteness);
/// The outputs whose residuals are not white, by their places: those with a p-value below 0.001
/// over the number of outputs, so that a good model raises a false alarm in 1 of 1000 records.
[[nodiscard]] std::vector<std::size_t> coloured_outputs(
    const std::vector<ResidualVerdict>& outputs);
/// All outputs together.
[[nodiscard]] Whiteness whiteness_of(const std::vector<ResidualVerdict>& outputs);

/// Pairs of unknowns that the data can hardly tell apart: |correlation| above 0.95.
struct CorrelatedPair {
  std::string first, second;
  double correlation = 0.0;
};
[[nodiscard]] std::vector<CorrelatedPair> correlated_pairs(
    const Parametrisation& unknowns, const Eigen::Ref<const Eigen::MatrixXd>& covariance,
    double threshold = 0.95);

/// What is odd about the records, in words that name the channel: a dead or constant channel,
/// two equal channels, clipped samples, an input that does not excite, a growing response, energy
/// near the Nyquist frequency (aliasing), too few samples for the unknowns, units that do not fit.
struct DataRemark {
  std::string channel;
  std::string text;
  bool fatal = false;
};
/// @param smooth_forces they are taken as smooth between samples, not held.
[[nodiscard]] std::vector<DataRemark> examine(const Experiments& data,
                                              const std::vector<std::string>& input_names,
                                              const std::vector<std::string>& output_names,
                                              Eigen::Index unknowns, bool smooth_forces = false);

}  // namespace alembert::identify
