#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "alembert/estimate/kinematic_model.hpp"

namespace alembert::estimate {

/// One-step method for the kinematic equations of the input form.
enum class Discretisation {
  Euler,        ///< u of the sample before
  Trapezoidal,  ///< implicit; both samples
  Heun,         ///< both samples
  RungeKutta,   ///< classical, order 4; the input in the middle is the mean of both samples
};

constexpr auto enum_names(Discretisation) {
  return std::to_array<EnumName<Discretisation>>({{Discretisation::Euler, "euler"},
                                                  {Discretisation::Trapezoidal, "trapezoidal"},
                                                  {Discretisation::Heun, "heun"},
                                                  {Discretisation::RungeKutta, "runge-kutta"}});
}

/// How z'' becomes part of the state of the input form.
enum class AccelerationScheme {
  None,              ///< x = (z, z')
  Constraint,        ///< scheme 1: z''_k = S⁺(u - S'z') of the sample before
  ConstraintNow,     ///< the same from this sample, without the delay of one step
  Newmark,           ///< scheme 2: (z'_k - z'_{k-1})/(γ Δt) + ((γ-1)/γ) z''_{k-1}
  NewmarkConstraint  ///< scheme 3: the same with z''_{k-1} from the constraint equation
};

constexpr auto enum_names(AccelerationScheme) {
  return std::to_array<EnumName<AccelerationScheme>>(
      {{AccelerationScheme::None, "none"},
       {AccelerationScheme::Constraint, "constraint"},
       {AccelerationScheme::ConstraintNow, "constraint-now"},
       {AccelerationScheme::Newmark, "newmark"},
       {AccelerationScheme::NewmarkConstraint, "newmark-constraint"}});
}

/// What the input form reads as input and as output.
struct InputFormOptions {
  std::vector<int> inputs = {};   ///< sensors of one order: all rates, or all accelerations
  std::vector<int> outputs = {};  ///< sensors of positions
  Discretisation discretisation = Discretisation::Euler;
  AccelerationScheme scheme = AccelerationScheme::Constraint;  ///< with accelerations as input
  double gamma = 1.0;                                          ///< of schemes 2 and 3, >= 1
};

/// Input form, as published: velocity or acceleration sensors drive the model, the others correct
/// it. W holds the inverse variances of the input sensors.
///
///   velocities:    x = z,              z'  = (SᵀWS)⁻¹SᵀW u
///   accelerations: x = (z, z'[, z'']), z'' = (SᵀWS)⁻¹SᵀW (u - S'z')
///
/// With u.random_walk the highest derivative in the state is held and the lower ones are
/// integrated by Euler's rule; noise does the rest. A missing input (NaN) has weight zero.
class KinematicInputModel : public KinematicModel {
 public:
  /// @throws InvalidInput if the state is not assembled, inputs are not all of order 1 or all of
  ///   order 2, outputs are not positions, or there are fewer than n inputs.
  KinematicInputModel(std::shared_ptr<const model::planar::Mechanism> mechanism,
                      model::planar::MechanismState start, InputFormOptions options);

  [[nodiscard]] int states() const { return blocks_ * n_; }

  void process(const Input& u, std::span<const double> x, std::span<double> next) const;
  void output(const Input& u, std::span<const double> x, std::span<double> y) const;
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const;
  void output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const;

  /// Whether the mechanism can be assembled at the coordinates of a state, on its branch.
  [[nodiscard]] bool reaches(std::span<const double> x) const noexcept {
    return assembles(x.subspan(0, static_cast<std::size_t>(n_)));
  }

  /// What the noise of the input readings adds to the covariance of a step, D Dᵀ. A reading enters
  /// two steps, as that of this sample and then as that of the sample before, and what it does adds
  /// up: both parts are in one column. With A_i = ∂f/∂u_i σ_i of this sample and F = ∂f/∂x,
  ///
  ///   column of the sample before:  F A_i + (∂f/∂u_i of the sample before) σ_i,
  ///   column of this sample:        0 for z and z', √(1-ρ²) A_i for z''.
  ///
  /// F A_i stands for what the sample before did one step ago: A changes by O(Δt) from step to
  /// step. ρ is the share of the old z'' in the new, (γ-1)/γ in scheme 2, else 0. The rest of A_i,
  /// what this sample has done to z and z' so far, comes with the next step: Δt/2 of it in the
  /// velocity, against Δt of all others. See docs/theory/observers.md, section 2.
  ///
  /// Products with derivatives are central differences over one σ. Without a reading, or where the
  /// step fails, a column is zero. Allocates nothing. @param D states() x 2 inputs.
  void input_spread(const Input& u, std::span<const double> x, Eigen::MatrixXd& D) const noexcept;

  /// Blocks of n in the state: 1, 2 or 3.
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] const InputFormOptions& options() const { return options_; }
  /// det SᵀS of the input sensors that have a reading, at z: the measure of the switching rule.
  /// NaN if the position cannot be reached.
  [[nodiscard]] double determinant(std::span<const double> z, std::span<const double> u) const;

 private:
  [[nodiscard]] bool solve(std::span<const double> y, std::span<const double> u,
                           Eigen::VectorXd& rate, Eigen::MatrixXd* jacobian) const noexcept;
  void differentiate_solution(std::span<const double> u, Eigen::MatrixXd& jacobian) const noexcept;
  void half_difference(const Input& changed, double& reading, double sigma,
                       std::span<const double> x, Eigen::Ref<Eigen::VectorXd> a) const noexcept;
  [[nodiscard]] bool stage(double factor, std::span<const double> input,
                           bool derivative) const noexcept;
  void accumulate(double factor, bool derivative) const noexcept;
  [[nodiscard]] bool classical_step(const Input& u, bool derivative) const noexcept;
  [[nodiscard]] bool integrate(const Input& u, bool derivative) const noexcept;
  [[nodiscard]] bool implicit_step(const Input& u, bool derivative) const noexcept;
  [[nodiscard]] bool accelerate(const Input& u, std::span<const double> x, std::span<double> next,
                                Eigen::MatrixXd* F) const noexcept;
  void walk(const Input& u, std::span<const double> x, std::span<double> next,
            Eigen::MatrixXd* F) const noexcept;
  void advance(const Input& u, std::span<const double> x, std::span<double> next,
               Eigen::MatrixXd* F) const noexcept;

  InputFormOptions options_;
  int n_ = 0;
  int blocks_ = 0;
  int order_ = 2;
  std::vector<double> weights_, sigmas_;
  // Memory of a step: the model of one filter.
  mutable model::planar::SensorReading changed_;
  mutable model::planar::SmallLu normal_, implicit_;
  mutable Eigen::MatrixXd S_, by_z_, by_zd_;
  mutable Eigen::VectorXd rest_, solution_, right_, mid_input_;
  mutable Eigen::VectorXd y_, stage_, rate_, next_;
  mutable Eigen::MatrixXd G_, stage_slope_, rate_slope_, next_slope_;
  mutable Eigen::VectorXd first_rate_;
  mutable Eigen::MatrixXd first_slope_;
  mutable std::vector<double> changed_before_, changed_now_;
  mutable Eigen::VectorXd above_, below_, moved_;
};

}  // namespace alembert::estimate
