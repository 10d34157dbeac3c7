#pragma once

// The second stage of the two-stage observer as an observed model.

#include <memory>
#include <vector>

#include "alembert/estimate/two_stage.hpp"

namespace alembert::estimate {

/// x = (F1, F2), y = F1. Its sensors are (z, z', z''), their covariance column by column, and the
/// cells of the known forces.
class ForceStage final : public ObservedModel {
 public:
  ForceStage(std::shared_ptr<const model::planar::Mechanism> mechanism,
             model::planar::MechanismState start, const TwoStageOptions& options,
             ForceDirection direction);

  [[nodiscard]] const ObservedLayout& layout() const noexcept override { return layout_; }
  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override;
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const override;
  void output(const ObservedInput& u, std::span<const double> x,
              std::span<double> y) const override;
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const override;
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;

 private:
  // f0_ = B1⁻¹(M z'' + bias), G_ = B1⁻¹ B2 and J_ = ∂F1/∂(z, z', z'') at F2 of x.
  [[nodiscard]] bool balance(const ObservedInput& u,
                             std::span<const double> unknown) const noexcept;
  void spread_walk(Eigen::Index follows, Eigen::Index walks, Eigen::Index walking) noexcept;
  void spread_motion(const ObservedInput& u, Eigen::Index follows, Eigen::Index followers) noexcept;
  [[nodiscard]] bool by_known() const { return direction_ == ForceDirection::Known; }

  std::shared_ptr<const model::planar::Mechanism> mechanism_;  // constant, shared with the caller
  TwoStageOptions options_;
  ForceDirection direction_;
  int n_, unknown_;
  ObservedLayout layout_;
  mutable model::planar::MechanismState state_;
  mutable ForceBalance balance_;
  mutable model::planar::SmallLu lu_;  // of G, for f21
  mutable Eigen::VectorXd f0_;
  mutable Eigen::MatrixXd G_, J_;
  Eigen::MatrixXd covariance_, spread_;
  Noise<double, Eigen::Dynamic> noise_;
};

}  // namespace alembert::estimate
