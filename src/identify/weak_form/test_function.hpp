#pragma once

#include <Eigen/Core>
#include <array>

namespace alembert::identify {

/// The test function of the weak form, φ(t) = (1 - (2t/W)²)^p on |t| <= W/2 and zero outside,
/// with its derivatives and antiderivatives.
class TestFunction {
 public:
  /// @param window W in s. @param power p >= 3.
  TestFunction(double window, int power);

  /// The derivative of the given order, -2 .. 2, at t in s. Negative orders are antiderivatives
  /// that vanish left of the support.
  [[nodiscard]] double operator()(double t, int order) const;

 private:
  double half_;                                // W/2
  std::array<Eigen::VectorXd, 5> polynomial_;  // in s = 2t/W, order -2 first
};

}  // namespace alembert::identify
