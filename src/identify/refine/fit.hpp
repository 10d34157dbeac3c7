#pragma once

#include <Eigen/Core>
#include <memory>
#include <string_view>
#include <vector>

#include "alembert/identify/refine.hpp"
#include "alembert/integrate/detail/input_stencil.hpp"
#include "identify/refine/step_rule.hpp"

/// What refine(), predict() and cramer_rao_bound() share.
namespace alembert::identify {

class ForceNoise;

/// Outputs of one experiment that miss the same samples.
struct OutputGroup {
  std::vector<Eigen::Index> outputs;
  std::vector<Eigen::Index> missing;  ///< samples, ascending
};

/// The data and the rule, fixed during a refinement. Refers to the experiments, which must outlive
/// it.
struct Fit {
  Fit(std::string_view function, const Experiments& experiments, const Eigen::MatrixXd& forces,
      const model::OutputMap& output_map, const RefineOptions& options);

  const Experiments& data;
  Eigen::MatrixXd L;
  model::OutputMap outputs;
  StepRule rule;
  double step = 0.0;
  bool free_start = true;
  Sensitivities sensitivities = Sensitivities::Automatic;
  bool acceleration_sensed = false;
  std::vector<integrate::InputStencil> stencils;  ///< of each experiment
  std::vector<std::vector<OutputGroup>> groups;   ///< of each experiment
  /// Noise on the forces whose part of the cost is taken off; none if they are exact. Shared, since
  /// a fit may be copied.
  std::shared_ptr<const ForceNoise> force_noise = {};
  /// That part at the first trial. Added to all costs it keeps them positive; empty before.
  Eigen::VectorXd first_noise = {};

  [[nodiscard]] Eigen::Index coordinates() const noexcept { return L.rows(); }
  [[nodiscard]] Eigen::Index inputs() const noexcept { return L.cols(); }
  [[nodiscard]] Eigen::Index output_count() const noexcept { return outputs.outputs(); }
  [[nodiscard]] Eigen::Index start_size() const noexcept {
    return free_start ? 2 * coordinates() : 0;
  }
};

/// A system with its derivative by θ and the start states.
struct Guess {
  model::SecondOrder system;
  Eigen::SparseMatrix<double> jacobian;  ///< of stacked(M, D, K) by θ
  Eigen::MatrixXd start;                 ///< 2n x experiments, z = (q, h q')

  [[nodiscard]] Eigen::Index unknowns() const noexcept { return jacobian.cols(); }
};

/// y = Cz z + E u with z = (q, h q'), and its parts: Cz = C0 + C2 A, E = C2 B.
struct ScaledOutputs {
  Eigen::MatrixXd C0;  ///< (Cq, Cv/h)
  Eigen::MatrixXd C2;  ///< (0, Ca/h²)
};
[[nodiscard]] ScaledOutputs scaled_outputs(const Fit& fit);

/// ŷ of each experiment; an empty list if the motion is not finite or the map does not exist.
[[nodiscard]] std::vector<Eigen::MatrixXd> predicted(const Fit& fit,
                                                     const model::SecondOrder& system,
                                                     const Eigen::MatrixXd& start);
/// y - ŷ with zeros for missing samples.
[[nodiscard]] std::vector<Eigen::MatrixXd> differences(
    const Fit& fit, const std::vector<Eigen::MatrixXd>& predictions);
/// Measured samples of each output.
[[nodiscard]] Eigen::VectorXd measured_counts(const Fit& fit);
/// Σ e² of each output.
[[nodiscard]] Eigen::VectorXd square_sums(const std::vector<Eigen::MatrixXd>& errors);
/// Σ y² of each output over its measured samples.
[[nodiscard]] Eigen::VectorXd output_square_sums(const Fit& fit);

/// Start states by weighted linear least squares on the free responses; zeros if the start is not
/// free.
[[nodiscard]] Eigen::MatrixXd fitted_start(const Fit& fit, const model::SecondOrder& system,
                                           const Eigen::VectorXd& weights);

}  // namespace alembert::identify
