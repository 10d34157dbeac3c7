#pragma once

#include <Eigen/Core>
#include <string>

#include "alembert/model/second_order.hpp"

namespace alembert::reproductions::discretisation {

/// A system of the study, with the length of its test motion and of its steps.
struct TestSystem {
  std::string name;
  model::SecondOrder system;
  double duration = 0.0;  ///< s, about two periods of the slowest mode
};

/// A motion known in closed form, sampled at t(k) = k h: the input, the displacement, and where
/// it starts.
struct ReferenceMotion {
  Eigen::MatrixXd input;         ///< N x m
  Eigen::MatrixXd displacement;  ///< N x n
  Eigen::VectorXd q0, v0;
};

/// Steady state under five cosines up to the highest frequency of the system on every input:
///   q(t) = Re Σ_l H(iω_l) c_l exp(iω_l t)
[[nodiscard]] ReferenceMotion steady_motion(const model::SecondOrder& system, double step,
                                            Eigen::Index samples);

/// A cubic polynomial under a cubic force, plus free decay of all modes:
///   q(t) = Σ_j p_j tʲ + Re Σ_k ψ_k exp(λ_k t)
/// A cubic spline through the samples of the force is the force itself.
[[nodiscard]] ReferenceMotion decaying_motion(const model::SecondOrder& system, double duration,
                                              double step, Eigen::Index samples);

}  // namespace alembert::reproductions::discretisation
