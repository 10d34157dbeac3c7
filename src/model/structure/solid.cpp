#include "model/structure/solid.hpp"

namespace alembert::model {

Eigen::MatrixXd solid_strains(const Eigen::MatrixXd& gradients) {
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 3 * gradients.cols());
  for (Eigen::Index a = 0; a < gradients.cols(); ++a) {
    const double x = gradients(0, a);
    const double y = gradients(1, a);
    const double z = gradients(2, a);
    B.block<6, 3>(0, 3 * a) << x, 0, 0, 0, y, 0, 0, 0, z, y, x, 0, 0, z, y, z, 0, x;
  }
  return B;
}

Eigen::MatrixXd solid_elasticity(const Material& material) {
  const double nu = material.poisson;
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(6, 6);
  C.topLeftCorner(3, 3).setConstant(nu);
  C.diagonal().head(3).setConstant(1 - nu);
  C.diagonal().tail(3).setConstant((1 - 2 * nu) / 2);
  return material.young / ((1 + nu) * (1 - 2 * nu)) * C;
}

void add_solid_mass(const Eigen::VectorXd& functions, double weight, Eigen::MatrixXd& mass) {
  for (Eigen::Index a = 0; a < functions.size(); ++a) {
    for (Eigen::Index b = 0; b < functions.size(); ++b) {
      for (Eigen::Index d = 0; d < 3; ++d) {
        mass(3 * a + d, 3 * b + d) += weight * functions(a) * functions(b);
      }
    }
  }
}

}  // namespace alembert::model
