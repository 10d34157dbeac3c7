#pragma once

#include <Eigen/Core>
#include <random>

#include "alembert/model/second_order.hpp"

/// Mechanical systems for tests: seeded random ones and textbook chains.
namespace alembert::test {

/// Entries between -1 and 1.
Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, std::mt19937_64& engine);

/// Symmetric with eigenvalues spread evenly in logarithm over [lower, upper].
Eigen::MatrixXd random_definite(Eigen::Index n, double lower, double upper,
                                std::mt19937_64& engine);

/// A damped system without any structure: masses around 1 kg, stiffnesses 1 to 100 N/m, damping
/// 0.02 to 0.2 Ns/m that the undamped modes do not diagonalise, m forces.
model::SecondOrder random_system(Eigen::Index n, Eigen::Index m, std::mt19937_64& engine);

/// n masses m in a row, n + 1 springs k, both ends fixed:
///   ω_j = 2 sqrt(k/m) sin(j π / (2 (n + 1))), j = 1..n.
model::SecondOrder fixed_chain(Eigen::Index n, double mass, double spring);

/// The same with free ends and n - 1 springs: ω_j = 2 sqrt(k/m) sin(j π / (2 n)), j = 0..n-1.
model::SecondOrder free_chain(Eigen::Index n, double mass, double spring);

/// A single mass: m q'' + d q' + k q = u.
model::SecondOrder oscillator(double mass, double damping, double stiffness);

}  // namespace alembert::test
