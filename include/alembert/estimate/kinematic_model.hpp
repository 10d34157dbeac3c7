#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "alembert/estimate/noise.hpp"
#include "alembert/model/planar/mechanism.hpp"

/// Models of rigid mechanisms for the filters: kinematics and sensors, no masses and no forces.
/// See docs/theory/observers.md.
namespace alembert::estimate {

/// What the kinematic models read in a step.
struct KinematicInput {
  double step = 0.0;  ///< s, from the sample before to this one
  std::span<const double> before =
      {};                            ///< readings of the input sensors one sample ago; NaN: missing
  std::span<const double> now = {};  ///< and of this sample
  bool random_walk = false;          ///< input form: the switching model is in its random walk
};

/// How the highest derivative of the coordinates moves between samples in the output form.
enum class MotionModel {
  WhiteJerk,  ///< state (z, z', z''), z''' white noise
  WhiteSnap,  ///< state (z, z', z'', z'''), z'''' white noise
};

/// What the output form estimates and reads.
struct OutputFormOptions {
  MotionModel motion = MotionModel::WhiteJerk;
  std::vector<int> sensors = {};  ///< of the mechanism, in the order of the outputs; empty: all
  std::vector<int> biases = {};   ///< sensors whose bias is a state
  bool geometry = false;          ///< the geometry parameters of the mechanism are states
};

/// Output form: x = (z, z', z''[, z''']; p; biases), all sensors are outputs.
///
///   z_k^(i) = Σ_{j≥i} z_{k-1}^(j) Δt^(j-i)/(j-i)!        y = h(z, z', z'', p) + bias
///
/// No inverse, so no singular configuration but the mechanism's own. A position that cannot be
/// reached makes the outputs NaN. The model has memory of its own: one filter, one model.
class KinematicOutputModel {
 public:
  using Scalar = double;
  using Input = KinematicInput;
  static constexpr int kStates = Eigen::Dynamic;
  static constexpr int kOutputs = Eigen::Dynamic;

  /// @param start an assembled state of the mechanism.
  /// @throws InvalidInput if it is not assembled, or if a sensor is not in the mechanism or its
  ///   bias is asked for without it being an output.
  KinematicOutputModel(std::shared_ptr<const model::planar::Mechanism> mechanism,
                       model::planar::MechanismState start, OutputFormOptions options = {});

  [[nodiscard]] int states() const { return states_; }
  [[nodiscard]] int outputs() const { return static_cast<int>(options_.sensors.size()); }
  [[nodiscard]] bool output_is_angle(int i) const;

  void process(const Input& u, std::span<const double> x, std::span<double> next) const;
  void output(const Input& u, std::span<const double> x, std::span<double> y) const;
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const;
  void output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const;

  /// Derivatives of z in the state: 3 or 4 blocks of n.
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] const OutputFormOptions& options() const { return options_; }
  [[nodiscard]] const model::planar::Mechanism& mechanism() const { return *mechanism_; }
  /// Place of the first geometry parameter and of the first bias in the state.
  [[nodiscard]] int first_parameter() const;
  [[nodiscard]] int first_bias() const;
  /// The mechanism as last evaluated.
  [[nodiscard]] const model::planar::MechanismState& mechanism_state() const { return state_; }

 private:
  [[nodiscard]] bool move(std::span<const double> x) const noexcept;

  std::shared_ptr<const model::planar::Mechanism> mechanism_;  // constant, shared by copies
  OutputFormOptions options_;
  int blocks_ = 3;
  int states_ = 0;
  mutable model::planar::MechanismState state_;
  mutable model::planar::SensorReading reading_;
};

/// Covariance added in a step by white noise of this density on the derivative after the last:
///   Q_ij = density Δt^(2m-1-i-j) / ((2m-1-i-j) (m-1-i)! (m-1-j)!),  i, j = 0..m-1.
/// @throws InvalidInput unless 1 <= blocks <= 6, step > 0 and density >= 0.
[[nodiscard]] Eigen::MatrixXd white_noise_motion(int blocks, double step, double density);

/// Noise of the output form.
struct OutputFormNoise {
  /// Density of the jerk or snap of each coordinate, unit² s⁻⁵ or s⁻⁷; one for all or n.
  std::vector<double> density = {1.0};
  double parameter_density = 0.0;  ///< random walk of the geometry, m²/s
  double bias_density = 0.0;       ///< random walk of the biases, unit²/s
};

/// Q of a step of the output form. @throws InvalidInput for wrong sizes or signs.
[[nodiscard]] Noise<double, Eigen::Dynamic> process_noise(const KinematicOutputModel& model,
                                                          double step,
                                                          const OutputFormNoise& noise);

/// R of the chosen sensors of a mechanism, from their standard deviations and resolutions.
/// @throws InvalidInput naming a sensor whose variance is zero.
[[nodiscard]] Noise<double, Eigen::Dynamic> sensor_noise(const model::planar::Mechanism& mechanism,
                                                         const std::vector<int>& sensors);

}  // namespace alembert::estimate
