#pragma once

#include <vector>

#include "alembert/integrate/flexible_simulation.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::integrate {

/// x = (u, q, u', q', work, loss).
class FlexibleSystem final : public ode::System {
 public:
  /// All arguments must outlive it.
  FlexibleSystem(const model::flexible::FlexibleMechanism& mechanism,
                 const std::vector<model::TimeFormula>& laws);

  [[nodiscard]] std::size_t states() const override { return 2 * n_ + 2; }
  void derivative(double t, const double* x, const double* u, double* dx) override;
  /// Goes to a time and its states; false if the mechanism cannot be there.
  bool move(double t, const double* x);

  [[nodiscard]] const model::flexible::FlexibleState& state() const { return state_; }
  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }
  [[nodiscard]] const std::vector<double>& accelerations() const { return xdd_; }

 private:
  const model::flexible::FlexibleMechanism& mechanism_;
  const std::vector<model::TimeFormula>& laws_;
  std::size_t n_;
  model::flexible::FlexibleState state_;
  std::vector<double> forces_, xdd_;
  Eigen::VectorXd time_;
};

/// Steps of the implicit midpoint rule x₊ = x + h f(t + h/2, (x + x₊)/2), solved by Newton's method
/// with M + h/2 D + h²/4 K of the mechanism, formed anew only where it no longer converges. Steps
/// do not allocate between.
class MidpointSteps {
 public:
  MidpointSteps(const model::flexible::FlexibleMechanism& mechanism, FlexibleSystem& system);
  /// Goes from t to t + h; false if it does not converge.
  bool step(double t, double h, Eigen::VectorXd& x);

 private:
  void factor(double h);
  void correct(double h);
  bool iterate(double t, double h, const Eigen::VectorXd& x);

  const model::flexible::FlexibleMechanism& mechanism_;
  FlexibleSystem& system_;
  Eigen::VectorXd middle_, slope_, residual_, correction_;
  Eigen::MatrixXd mass_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  double factored_step_ = 0.0;  // of the present factors
};

}  // namespace alembert::integrate
