#include "alembert/core/linear_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert {

double Definiteness::condition() const {
  return positive_definite ? largest / smallest : std::numeric_limits<double>::infinity();
}

Definiteness definiteness(const Eigen::Ref<const Eigen::MatrixXd>& symmetric) {
  check::at_least("definiteness", "matrix size", symmetric.rows(), 1);
  check::shape("definiteness", "matrix", symmetric, symmetric.rows(), symmetric.rows());
  check::all_finite("definiteness", "matrix", symmetric);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric, Eigen::EigenvaluesOnly);
  const Eigen::VectorXd& values = solver.eigenvalues();

  Definiteness result{.smallest = values(0), .largest = values(values.size() - 1)};
  const double magnitude = values.cwiseAbs().maxCoeff();
  const double margin =
      static_cast<double>(symmetric.rows()) * std::numeric_limits<double>::epsilon() * magnitude;
  result.positive_definite = result.smallest > margin;
  result.positive_semidefinite = result.smallest >= -margin;
  return result;
}

Eigen::MatrixXd symmetrised(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  check::shape("symmetrised", "matrix", matrix, matrix.rows(), matrix.rows());
  return 0.5 * (matrix + matrix.transpose());
}

}  // namespace alembert
