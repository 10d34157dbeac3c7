#include "support/random_systems.hpp"

#include <cmath>

#include "core/algebra/decompositions.hpp"

namespace alembert::test {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return entry(engine); });
}

Eigen::MatrixXd random_definite(Eigen::Index n, double lower, double upper,
                                std::mt19937_64& engine) {
  const Eigen::MatrixXd Q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(random_matrix(n, n, engine)).householderQ();
  const Eigen::VectorXd values = Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) {
    return n == 1 ? std::sqrt(lower * upper)
                  : lower * std::pow(upper / lower,
                                     static_cast<double>(i) / static_cast<double>(n - 1));
  });
  const Eigen::MatrixXd matrix = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (matrix + matrix.transpose());
}

model::SecondOrder random_system(Eigen::Index n, Eigen::Index m, std::mt19937_64& engine) {
  model::SecondOrder system;
  system.M = random_definite(n, 0.5, 2.0, engine);
  system.D = random_definite(n, 0.02, 0.2, engine);
  system.K = random_definite(n, 1.0, 100.0, engine);
  system.L = random_matrix(n, m, engine);
  return system;
}

model::SecondOrder fixed_chain(Eigen::Index n, double mass, double spring) {
  model::SecondOrder system;
  system.M = mass * Eigen::MatrixXd::Identity(n, n);
  system.K = 2.0 * spring * Eigen::MatrixXd::Identity(n, n);
  system.K.diagonal(1).setConstant(-spring);
  system.K.diagonal(-1).setConstant(-spring);
  system.D = Eigen::MatrixXd::Zero(n, n);
  system.L = Eigen::MatrixXd::Identity(n, n);
  return system;
}

model::SecondOrder free_chain(Eigen::Index n, double mass, double spring) {
  model::SecondOrder system = fixed_chain(n, mass, spring);
  system.K(0, 0) -= spring;
  system.K(n - 1, n - 1) -= spring;
  return system;
}

model::SecondOrder oscillator(double mass, double damping, double stiffness) {
  const auto scalar = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  return {scalar(mass), scalar(damping), scalar(stiffness), scalar(1.0)};
}

}  // namespace alembert::test
