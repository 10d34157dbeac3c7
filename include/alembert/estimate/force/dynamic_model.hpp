#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "alembert/estimate/kinematic_model.hpp"

namespace alembert::estimate {

/// What the dynamic form reads as input, and what it estimates beside the motion.
struct DynamicFormOptions {
  OutputFormOptions output = {};  ///< outputs, biases, geometry, force model; `motion` has no place
  bool heun = true;  ///< the rates by Heun's rule, from both ends of a step; false: by Euler's
};

/// Dynamic form: x = (z, z', z''; p; biases; F[; F']), measured forces drive the masses of the
/// mechanism, the other sensors correct them.
///
///   a  = M⁻¹(B1 u + B2 F − bias)       at the sample before
///   z⁺ = z + Δt z' + Δt²/2 a           z'⁺ = z' + Δt a, or Δt (a + z''⁺)/2 by Heun's rule
///   z''⁺ = M⁻¹(B1 u⁺ + B2 F⁺ − bias)   at (z⁺, z' + Δt a)
///
/// With F a random walk it is the single-stage filter that the multibody field calls augmented:
/// [MultibodyThesis, table 3.3]. Where a measured force is missing, z'' is held.
class DynamicModel {
 public:
  using Scalar = double;
  using Input = KinematicInput;
  static constexpr int kStates = Eigen::Dynamic;
  static constexpr int kOutputs = Eigen::Dynamic;

  /// @throws InvalidInput as KinematicOutputModel and check_unknown_forces(), or if the masses do
  ///   not determine the motion at the start, with the bodies to blame.
  DynamicModel(std::shared_ptr<const model::planar::Mechanism> mechanism,
               const model::planar::MechanismState& start, DynamicFormOptions options);

  [[nodiscard]] int states() const { return first_force() + force_blocks() * forces(); }
  [[nodiscard]] int outputs() const { return base_.outputs(); }
  [[nodiscard]] bool output_is_angle(int i) const { return base_.output_is_angle(i); }
  [[nodiscard]] int blocks() const { return base_.blocks(); }
  [[nodiscard]] int first_force() const { return base_.states(); }
  [[nodiscard]] int forces() const { return static_cast<int>(unknown_.size()); }
  [[nodiscard]] int force_blocks() const;
  /// The motion without its forces: outputs, geometry and biases.
  [[nodiscard]] const KinematicOutputModel& base() const { return base_; }
  [[nodiscard]] const model::planar::Mechanism& mechanism() const { return base_.mechanism(); }
  [[nodiscard]] const DynamicFormOptions& options() const { return options_; }
  /// Sensors that read the known forces, in the order of u.
  [[nodiscard]] const std::vector<int>& inputs() const { return inputs_; }

  void process(const Input& u, std::span<const double> x, std::span<double> next) const;
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const;
  void output(const Input& u, std::span<const double> x, std::span<double> y) const;
  void output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const;
  [[nodiscard]] bool reaches(std::span<const double> x) const noexcept;
  [[nodiscard]] long unreached() const noexcept { return base_.unreached(); }

  /// What a reading of each input does to z'': M⁻¹ B1 σ at x, n x inputs. False where it cannot be
  /// said. @param spread has its size.
  bool input_spread(std::span<const double> x, Eigen::MatrixXd& spread) const noexcept;

 private:
  // z'' at (z, z'), with the rest of x and the forces of u; slopes_ = ∂z''/∂(z, z', p, F).
  [[nodiscard]] bool accelerate(std::span<const double> z, std::span<const double> zd,
                                std::span<const double> x, std::span<const double> u,
                                Eigen::VectorXd& zdd, Eigen::MatrixXd* slope) const noexcept;
  void advance(const Input& u, std::span<const double> x, std::span<double> next,
               Eigen::MatrixXd* F) const noexcept;
  void hold(const Input& u, std::span<const double> x, std::span<double> next,
            Eigen::MatrixXd* F) const noexcept;
  void advance_forces(double step, std::span<const double> x, std::span<double> next,
                      Eigen::MatrixXd* F) const noexcept;
  // Columns of a slope and of the state: (z, z', p, F) within x.
  /// The same by the compiled mechanism, with the forces in acting_.
  [[nodiscard]] bool accelerate_compiled(std::span<const double> z, std::span<const double> zd,
                                         std::span<const double> x, Eigen::VectorXd& zdd,
                                         Eigen::MatrixXd* slope) const noexcept;
  [[nodiscard]] int state_of(int column) const;
  void chain(double step, Eigen::MatrixXd& F) const noexcept;

  DynamicFormOptions options_;
  KinematicOutputModel base_;
  std::vector<int> inputs_, known_, unknown_;  // sensors; places of forces in the description
  std::vector<double> sigmas_;                 // of the inputs
  int n_ = 0, parameters_ = 0;
  // Memory of a step: the model of one filter.
  mutable model::planar::MechanismState state_;
  mutable model::planar::CompiledState fast_;
  mutable model::planar::ReducedDynamics dynamics_;
  mutable std::vector<double> acting_;
  mutable Eigen::VectorXd z_, zd_, before_, after_;
  mutable Eigen::MatrixXd slope_before_, slope_after_;
};

}  // namespace alembert::estimate
