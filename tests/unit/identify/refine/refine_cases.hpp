#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "alembert/identify/refine.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"

/// Problems and measures shared by the tests of the refinement.
namespace alembert::identify {

inline Matrices matrices_of(const model::SecondOrder& system) {
  return {system.M, system.D, system.K};
}

inline LinearProblem free_problem(const model::SecondOrder& system) {
  const Eigen::Index n = system.degrees_of_freedom();
  return {system.L, test::all_sensed(n), free_matrices(n)};
}

/// Each matrix moved by a symmetric one of this share of its norm.
inline Matrices perturbed(const Matrices& truth, double share, std::mt19937_64& engine) {
  const auto moved = [&](const Eigen::MatrixXd& matrix) {
    Eigen::MatrixXd change = test::random_matrix(matrix.rows(), matrix.cols(), engine);
    change += change.transpose().eval();
    return Eigen::MatrixXd(matrix + share * matrix.norm() / change.norm() * change);
  };
  return {moved(truth.M), moved(truth.D), moved(truth.K)};
}

inline double relative_error(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected) {
  return (actual - expected).norm() / expected.norm();
}

inline double worst_error(const model::SecondOrder& actual, const model::SecondOrder& expected) {
  return std::max({relative_error(actual.M, expected.M), relative_error(actual.D, expected.D),
                   relative_error(actual.K, expected.K)});
}

/// √(E |X̂ - X|²)/|X| that a covariance of stacked(M, D, K) predicts for one of the matrices.
inline double predicted_error(const Eigen::MatrixXd& covariance, Eigen::Index part,
                              const Eigen::MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  const Eigen::Index half = n * (n + 1) / 2;
  Eigen::MatrixXd variance = from_half_vector(covariance.diagonal().segment(part * half, half));
  return std::sqrt(variance.sum()) / matrix.norm();
}

inline model::SecondOrder two_masses() {
  model::SecondOrder system;
  system.M = Eigen::Vector2d(1.0, 2.0).asDiagonal();
  system.K = (Eigen::Matrix2d() << 60.0, -20.0, -20.0, 50.0).finished();
  system.D = 0.01 * system.K + 0.1 * system.M;
  system.L = Eigen::Matrix2d::Identity();
  return system;
}

}  // namespace alembert::identify
