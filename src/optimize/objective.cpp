#include "alembert/optimize/objective.hpp"

namespace alembert::optimize {

void NormalEquations::reset(Eigen::Index parameters) {
  matrix.setZero(parameters, parameters);
  gradient.setZero(parameters);
  cost = 0.0;
  count = 0;
}

void NormalEquations::add(double residual, const Eigen::VectorXd& row) {
  const Eigen::Index size = gradient.size();
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = j; i < size; ++i) matrix(i, j) += row(i) * row(j);
    gradient(j) += row(j) * residual;
  }
  cost += residual * residual;
  ++count;
}

void NormalEquations::add(const Eigen::VectorXd& residuals, const Eigen::MatrixXd& jacobian) {
  const Eigen::Index size = gradient.size();
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = j; i < size; ++i) matrix(i, j) += jacobian.col(i).dot(jacobian.col(j));
    gradient(j) += jacobian.col(j).dot(residuals);
  }
  cost += residuals.squaredNorm();
  count += residuals.size();
}

}  // namespace alembert::optimize
