#include "optimize/solvers/second_order_part.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::optimize {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void SecondOrderPart::update(const VectorXd& step, const VectorXd& change, const MatrixXd& JtJ) {
  const double along = step.dot(change);
  // A cost that is not convex along the step gives no positive matrix.
  if (!(along > 0.0) || !std::isfinite(along)) return;
  const VectorXd mapped = JtJ.selfadjointView<Eigen::Lower>() * step;
  const VectorXd target = change - mapped;
  MatrixXd S = S_.size() > 0 ? S_ : MatrixXd::Zero(step.size(), step.size());
  const double old = std::abs(step.dot(S * step));
  if (old > 0.0) S *= std::min(std::abs(step.dot(target)) / old, 1.0);
  const VectorXd gap = target - S * step;
  S += (gap * change.transpose() + change * gap.transpose()) / along;
  S -= (step.dot(gap) / (along * along)) * (change * change.transpose());
  if (S.allFinite()) S_ = S;
}

MatrixXd SecondOrderPart::scaled(const VectorXd& unit) const {
  if (S_.size() == 0) return MatrixXd::Zero(unit.size(), unit.size());
  const VectorXd inverse = unit.cwiseInverse();
  return inverse.asDiagonal() * S_ * inverse.asDiagonal();
}

}  // namespace alembert::optimize
