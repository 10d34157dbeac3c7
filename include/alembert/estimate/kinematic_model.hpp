#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/estimate/force/force_balance.hpp"
#include "alembert/estimate/observed_model.hpp"
#include "alembert/model/planar/compiled_mechanism.hpp"
#include "alembert/model/planar/mechanism.hpp"

/// Models of rigid mechanisms for the filters: kinematics and sensors and, where asked for, masses
/// and forces.
/// See docs/theory/observers.md.
namespace alembert::estimate {

/// What the kinematic models read in a step: readings of the input sensors, for the input form.
using KinematicInput = ObservedInput;

/// What the kinematic models share: the mechanism, memory for its position, sensors as outputs. The
/// model has memory of its own: one filter, one model.
class KinematicModel {
 public:
  using Scalar = double;
  using Input = KinematicInput;
  static constexpr int kStates = Eigen::Dynamic;
  static constexpr int kOutputs = Eigen::Dynamic;

  [[nodiscard]] int outputs() const { return static_cast<int>(outputs_.size()); }
  [[nodiscard]] bool output_is_angle(int i) const;
  [[nodiscard]] const model::planar::Mechanism& mechanism() const { return *mechanism_; }
  /// How often the outputs were asked for where it cannot.
  [[nodiscard]] long unreached() const noexcept { return unreached_; }
  /// The mechanism as last evaluated.
  [[nodiscard]] const model::planar::MechanismState& mechanism_state() const { return state_; }

 protected:
  /// @throws InvalidInput, beginning with `name`, if the state is not assembled or a sensor is not
  ///   in the mechanism.
  KinematicModel(const char* name, std::shared_ptr<const model::planar::Mechanism> mechanism,
                 model::planar::MechanismState start, std::vector<int> outputs);

  /// Whether the mechanism can be assembled at these coordinates, on its branch.
  [[nodiscard]] bool assembles(std::span<const double> z) const noexcept;
  /// What an output reads where the mechanism cannot be assembled: its coordinate, or NaN.
  [[nodiscard]] double unreached_value(std::size_t output,
                                       std::span<const double> z) const noexcept;

  std::shared_ptr<const model::planar::Mechanism> mechanism_;  // constant, shared by copies
  std::vector<int> outputs_;                                   // sensors
  std::vector<int> direct_;  // coordinate that each output reads itself; -1: none
  mutable model::planar::MechanismState state_;
  mutable model::planar::SensorReading reading_;
  mutable long unreached_ = 0;
};

/// How the highest derivative of the coordinates moves between samples in the output form.
enum class MotionModel {
  WhiteJerk,  ///< state (z, z', z''), z''' white noise
  WhiteSnap,  ///< state (z, z', z'', z'''), z'''' white noise
};

constexpr auto enum_names(MotionModel) {
  return std::to_array<EnumName<MotionModel>>(
      {{MotionModel::WhiteJerk, "white-jerk"}, {MotionModel::WhiteSnap, "white-snap"}});
}

/// What the output form estimates and reads.
struct OutputFormOptions {
  MotionModel motion = MotionModel::WhiteJerk;
  /// Of the mechanism, in the order of the outputs; empty: all, force cells with `forces` only.
  std::vector<int> sensors = {};
  std::vector<int> biases = {};  ///< sensors whose bias is a state
  bool geometry = false;         ///< the geometry parameters of the mechanism are states
  /// The unknown forces of the mechanism are states, and force cells are outputs (ForceBalance).
  bool forces = false;
  ForceModel force_model = ForceModel::RandomWalk;
  double force_cutoff_hz = 10.0;  ///< LowPass, > 0
  /// The same mechanism compiled, which is several times faster: made by compile_for_observer().
  /// Null: the mechanism itself; so for force cells in any case.
  std::shared_ptr<const model::planar::CompiledMechanism> compiled = {};
};

/// The mechanism as a model of the output form needs it; null where it cannot be compiled.
/// @param options whether geometry is estimated; the lengths are those of `start` otherwise.
/// @param dynamics with z'' from forces, as DynamicModel needs it.
[[nodiscard]] std::shared_ptr<const model::planar::CompiledMechanism> compile_for_observer(
    const std::shared_ptr<const model::planar::Mechanism>& mechanism,
    const OutputFormOptions& options, bool dynamics = false,
    const model::EngineOptions& engine = {});

/// Output form: x = (z, z', z''[, z''']; p; biases; F[; F']), all sensors are outputs.
///
///   z_k^(i) = Σ_{j≥i} z_{k-1}^(j) Δt^(j-i)/(j-i)!        y = h(z, z', z'', p, F) + bias
///
/// With forces it is the joint form: motion and forces in one filter, and a measured torque enters
/// as an output like any other sensor.
///
/// No inverse, so no singular configuration but the mechanism's own. In a position that cannot be
/// reached only the sensors that read a coordinate itself have a value; they bring the estimate
/// back.
class KinematicOutputModel : public KinematicModel {
 public:
  /// @param start an assembled state of the mechanism.
  /// @throws InvalidInput if it is not assembled, or if a sensor is not in the mechanism or its
  ///   bias is asked for without it being an output.
  KinematicOutputModel(std::shared_ptr<const model::planar::Mechanism> mechanism,
                       model::planar::MechanismState start, OutputFormOptions options = {});

  [[nodiscard]] int states() const { return states_; }

  void process(const Input& u, std::span<const double> x, std::span<double> next) const;
  void output(const Input& u, std::span<const double> x, std::span<double> y) const;
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const;
  void output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const;

  /// Whether the mechanism with the geometry of a state can be assembled at its coordinates, on its
  /// branch.
  [[nodiscard]] bool reaches(std::span<const double> x) const noexcept;
  /// Derivatives of z in the state: 3 or 4 blocks of n.
  [[nodiscard]] int blocks() const { return blocks_; }
  /// `sensors` names those of the outputs also where the options left it empty.
  [[nodiscard]] const OutputFormOptions& options() const { return options_; }
  /// Place of the first geometry parameter and of the first bias in the state.
  [[nodiscard]] int first_parameter() const;
  [[nodiscard]] int first_bias() const;
  /// Place of the first unknown force; their rates, if any, stand behind all of them.
  [[nodiscard]] int first_force() const;
  /// Unknown forces that are states, and blocks of them: 2 with rates.
  [[nodiscard]] int forces() const { return options_.forces ? balance_.unknown() : 0; }
  [[nodiscard]] int force_blocks() const;

 private:
  [[nodiscard]] bool move(std::span<const double> x) const noexcept;
  [[nodiscard]] bool is_compiled() const { return options_.compiled != nullptr; }
  /// Position of the compiled mechanism at x.
  [[nodiscard]] bool reaches_compiled(std::span<const double> x) const noexcept;
  /// Readings of the compiled mechanism at x, with their slopes if asked for.
  [[nodiscard]] bool read_compiled(std::span<const double> x, bool slopes) const noexcept;
  void set_compiled_row(int sensor, Eigen::Index i, Eigen::MatrixXd& H) const noexcept;
  void add_biases(std::span<const double> x, std::span<double> y) const noexcept;
  /// y at x; whether the mechanism can be assembled there.
  bool evaluate(std::span<const double> x, std::span<double> y, bool slopes = false) const noexcept;
  /// F⁺ / F of the model without its noise.
  [[nodiscard]] double force_decay(double step) const;
  /// Derivatives of the output i, which is a force cell.
  void set_force_row(int force, Eigen::Index i, Eigen::MatrixXd& H) const noexcept;

  OutputFormOptions options_;
  mutable ForceBalance balance_;
  mutable model::planar::CompiledState fast_;
  mutable bool balanced_ = false;  // at the last evaluation
  int blocks_ = 3;
  int states_ = 0;
};

}  // namespace alembert::estimate
