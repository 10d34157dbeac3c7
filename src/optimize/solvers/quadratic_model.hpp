#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::optimize {

/// Points at which a cost is known.
struct KnownPoint {
  Eigen::VectorXd x;
  double cost = 0.0;
};

/// A quadratic q(z) = c + gᵀz + ½ zᵀHz in z = (x - centre)/radius, fitted to known points.
class QuadraticModel {
 public:
  /// Least-squares fit to the nearest finite points around the centre, in a box of half side
  /// 2 Δ that is doubled until it holds enough of them. Returns false if there are fewer than
  /// n + 2, or more than 200 coefficients: then there is no model.
  [[nodiscard]] bool fit(const std::vector<KnownPoint>& points, const Eigen::VectorXd& centre,
                         const Eigen::VectorXd& frame);

  [[nodiscard]] double value(const Eigen::VectorXd& x) const;
  /// The lowest point found of the model in the box lower <= x <= upper, from the centre.
  [[nodiscard]] Eigen::VectorXd minimiser(const Eigen::VectorXd& lower,
                                          const Eigen::VectorXd& upper) const;
  /// Bounding box of the points of the fit.
  [[nodiscard]] const Eigen::VectorXd& lower() const { return lower_; }
  [[nodiscard]] const Eigen::VectorXd& upper() const { return upper_; }

 private:
  void select(const std::vector<KnownPoint>& points, const Eigen::VectorXd& frame);
  [[nodiscard]] bool regress(const std::vector<KnownPoint>& points);

  Eigen::VectorXd centre_, radius_, lower_, upper_;
  std::vector<std::size_t> chosen_;
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd hessian_;
  double constant_ = 0.0;
};

}  // namespace alembert::optimize
