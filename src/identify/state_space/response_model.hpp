#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "alembert/identify/experiment.hpp"
#include "alembert/identify/subspace.hpp"

/// A discrete linear system as a sum of its poles.
///
///   x_r(k+1) = z_r x_r(k) + b_rᵀ u(k),   x_r(0) = ξ_r,   y(k) = Σ_r Re φ_r x_r(k) + D u(k)
///
/// A pole with z real has real b, ξ and φ and is one state; any other is two.
namespace alembert::identify::state_space {

/// Records in channels divided by their scales, so that units change nothing.
struct Samples {
  std::vector<Eigen::MatrixXd> inputs, outputs;  ///< one each per experiment, a row per sample
  double step = 0.0;                             ///< s

  [[nodiscard]] Eigen::Index count() const;  ///< samples of all experiments
  [[nodiscard]] Eigen::Index longest() const;
  [[nodiscard]] Eigen::Index input_count() const { return inputs.front().cols(); }
  [[nodiscard]] Eigen::Index output_count() const { return outputs.front().cols(); }
  [[nodiscard]] Eigen::MatrixXd stacked_outputs() const;
};

/// The rows from `from` to `to`, as shares of each experiment.
[[nodiscard]] Samples part_of(const Samples& samples, double from, double to);

struct Pole {
  std::complex<double> z;
  Eigen::VectorXcd drive;  ///< b, the entry of largest size is 1 and held
  Eigen::VectorXcd start;  ///< ξ of each experiment

  [[nodiscard]] bool is_real() const { return z.imag() == 0.0; }
  [[nodiscard]] Eigen::Index states() const { return is_real() ? 1 : 2; }
  [[nodiscard]] Eigen::Index held() const;  ///< the input whose entry is 1
};
using Poles = std::vector<Pole>;

[[nodiscard]] Eigen::Index states_of(const Poles& poles);

/// Poles with what least squares makes of shapes and D: rows of `coefficients` are Re φ and Im φ
/// of each pole in turn (Re alone for a real one), then D of each input.
struct ResponseModel {
  Poles poles;
  Eigen::MatrixXd coefficients;
  bool feedthrough = true;
};

/// One state signal: f(k+1) = z f(k) + values(k), f(0) = start.
[[nodiscard]] Eigen::VectorXcd filtered(std::complex<double> z, std::complex<double> start,
                                        const Eigen::Ref<const Eigen::VectorXcd>& values);

/// The outputs of all experiments below each other.
[[nodiscard]] Eigen::MatrixXd simulated(const ResponseModel& model, const Samples& samples);

/// The same system as matrices in real modal coordinates, in the units of the channels.
[[nodiscard]] DiscreteModel discrete_model(const ResponseModel& model, double step,
                                           const Eigen::VectorXd& input_scale,
                                           const Eigen::VectorXd& output_scale);

}  // namespace alembert::identify::state_space
