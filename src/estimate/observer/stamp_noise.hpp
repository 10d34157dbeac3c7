#pragma once

#include <Eigen/Core>

#include "alembert/estimate/observed_model.hpp"
#include "estimate/observer/any_filter.hpp"

namespace alembert::estimate {

/// Noise of the outputs whose time stamps scatter.
class StampNoise {
 public:
  /// @param jitter standard deviation of the stamps in s, > 0.
  StampNoise(double jitter, const DynamicNoise& r, Eigen::Index states);

  /// R + d dᵀ, d = y(t + jitter) - y(t) at a mean; R where that has no value. Allocates nothing.
  [[nodiscard]] const DynamicNoise& at(const ObservedModel& model, const ObservedInput& u,
                                       const Eigen::VectorXd& mean, const DynamicNoise& r) noexcept;

 private:
  double jitter_;
  DynamicNoise sum_;
  Eigen::MatrixXd covariance_;
  Eigen::VectorXd later_, now_, then_;
};

}  // namespace alembert::estimate
