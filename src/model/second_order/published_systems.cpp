#include "alembert/model/published_systems.hpp"

namespace alembert::model {

SecondOrder frame_8dof() {
  SecondOrder frame;
  frame.M = 100.0 * Eigen::MatrixXd::Identity(8, 8);
  frame.K.resize(8, 8);
  // clang-format off
  frame.K <<  27071.1,       0,       0,       0,  -10000,       0, -3535.5, -3535.5,
                    0, 17071.1,       0,  -10000,       0,       0, -3535.5, -3535.5,
                    0,       0, 27071.1,       0, -3535.5,  3535.5,  -10000,       0,
                    0,  -10000,       0, 17071.1,  3535.5, -3535.5,       0,       0,
               -10000,       0, -3535.5,  3535.5, 27071.1,       0,       0,       0,
                    0,       0,  3535.5, -3535.5,       0, 17071.1,       0,  -10000,
              -3535.5, -3535.5,  -10000,       0,       0,       0, 27071.1,       0,
              -3535.5, -3535.5,       0,       0,       0,  -10000,       0, 17071.1;
  // clang-format on
  frame.D = 0.005 * frame.K + 0.01 * frame.M;
  frame.L = Eigen::MatrixXd::Identity(8, 8);
  return frame;
}

SecondOrder coupled_3dof() {
  SecondOrder system;
  system.M = Eigen::Vector3d(0.8, 2.0, 1.2).asDiagonal();
  system.K = 5.0 * Eigen::MatrixXd::Identity(3, 3) - Eigen::MatrixXd::Ones(3, 3);
  system.D = 0.1 * system.K;
  system.L = Eigen::MatrixXd::Identity(3, 3);
  return system;
}

}  // namespace alembert::model
