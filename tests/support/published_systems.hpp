#pragma once

#include "alembert/model/second_order.hpp"

namespace alembert::test {

/// The frame with 8 degrees of freedom of [Bruschetta2014, Table 1]; modes from 5.59 to 20.43
/// rad/s, damping 1.5 to 5.1 %. As studies/frame-8dof has it, typed again: what studies are read
/// with is not to be trusted by the tests of what lies below it.
inline model::SecondOrder frame_8dof() {
  model::SecondOrder frame;
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

/// The system with 3 degrees of freedom of [Bruschetta2014], as in studies/triple-mass; modes
/// at 1.17, 1.85, 2.35 rad/s.
inline model::SecondOrder coupled_3dof() {
  model::SecondOrder system;
  system.M = Eigen::Vector3d(0.8, 2.0, 1.2).asDiagonal();
  system.K = 5.0 * Eigen::MatrixXd::Identity(3, 3) - Eigen::MatrixXd::Ones(3, 3);
  system.D = 0.1 * system.K;
  system.L = Eigen::MatrixXd::Identity(3, 3);
  return system;
}

}  // namespace alembert::test
