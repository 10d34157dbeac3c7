#pragma once

#include <Eigen/Dense>

#include "alembert/core/random.hpp"
#include "alembert/model/structure/assembly.hpp"
#include "alembert/update/measured_modes.hpp"
#include "alembert/update/parametric_model.hpp"

namespace alembert::update::test_models {

// Masses in a row, fixed at one end: springs k_i between them are parameters, and the last mass.
inline ParametricModel chain(Eigen::Index n, double sigma = 0.2) {
  ParametricModel made;
  made.M = unit_masses(n, {});
  made.K = made.M;
  const auto add = [&](const std::string& name, double value, model::SparseMatrix dK,
                       model::SparseMatrix dM) {
    if (dK.size() > 0) made.K += value * dK;
    if (dM.size() > 0) made.M += value * dM;
    add_parameter(made,
                  {.name = name,
                   .nominal = value,
                   .lower = 0.3 * value,
                   .upper = 3.0 * value,
                   .sigma = sigma * value},
                  dK, dM);
  };
  std::vector<Eigen::Index> all;
  for (Eigen::Index i = 0; i + 1 < n; ++i) all.push_back(i);
  made.M += unit_masses(n, all);
  add("ground", 1000.0, unit_ground_springs(n, {0}), {});
  for (Eigen::Index i = 1; i < n; ++i) {
    add("k" + std::to_string(i), 800.0 + 50.0 * static_cast<double>(i), unit_spring(n, i - 1, i),
        {});
  }
  add("tip", 2.0, {}, unit_masses(n, {n - 1}));
  return made;
}

// What all sensors of the chain would measure of the modes at p, with noise.
inline MeasuredModes measured_at(const ParametricModel& model, const Eigen::VectorXd& p,
                                 Eigen::Index modes, double hz_noise, double shape_noise,
                                 RandomStream& random) {
  const Eigen::MatrixXd K(stiffness_at(model, p));
  const Eigen::MatrixXd M(mass_at(model, p));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> found(K, M);
  MeasuredModes made;
  made.frequency_hz = found.eigenvalues().head(modes).cwiseSqrt() / (2.0 * 3.14159265358979323846);
  made.shapes = found.eigenvectors().leftCols(modes);
  for (Eigen::Index i = 0; i < modes; ++i) {
    made.frequency_hz(i) *= 1.0 + hz_noise * random.normal();
    const double size = made.shapes.col(i).cwiseAbs().maxCoeff();
    for (Eigen::Index s = 0; s < made.shapes.rows(); ++s) {
      made.shapes(s, i) += shape_noise * size * random.normal();
    }
    made.shapes.col(i) *= i % 2 == 0 ? -3.0 : 0.1;  // signs and scales are free
  }
  made.sensors = unit_masses(model.size(), {});
  made.sensors.setIdentity();
  return made;
}

}  // namespace alembert::update::test_models
