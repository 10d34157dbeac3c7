// Mass, damping and stiffness of a frame with three floors from forces and displacements.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/identify/linear.hpp>
#include <alembert/integrate/linear_simulation.hpp>
#include <alembert/signal/excitation.hpp>

int main() {
  // The records: here from a simulation with known matrices, else from a file or a converter.
  const Eigen::Matrix3d M = Eigen::Vector3d(3.0, 2.0, 1.0).asDiagonal();
  const Eigen::Matrix3d K{{900.0, -400.0, 0.0}, {-400.0, 700.0, -300.0}, {0.0, -300.0, 300.0}};
  const Eigen::Matrix3d D = 0.1 * M + 0.001 * K;
  const double h = 0.01;  // s
  alembert::RandomStream random(1);
  Eigen::MatrixXd u(5000, 3);  // N, one force at each floor
  for (auto force : u.colwise()) {
    force = alembert::signal::spline_noise(u.rows(), h, {.knot_step = 0.05}, random);
  }
  const Eigen::Vector3d rest = Eigen::Vector3d::Zero();
  const alembert::model::SecondOrder frame{M, D, K, Eigen::Matrix3d::Identity()};
  Eigen::MatrixXd y = alembert::integrate::simulate(frame, u, h, rest, rest).displacement;  // m
  for (auto sensor : y.colwise()) sensor += 1e-4 * random.normal_vector(y.rows());

  const auto fit = alembert::identify::identify_linear({{.input = u, .output = y, .step = h}},
                                                       {.degrees_of_freedom = 3});
  fmt::print("{}\n", fit.summary());
  return fit.ok() ? 0 : 1;
}
