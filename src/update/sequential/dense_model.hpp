#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/update/measured_modes.hpp"
#include "alembert/update/parametric_model.hpp"

namespace alembert::update {

/// A parametric model small enough for dense algebra, perhaps in a basis of the whole one.
struct DenseModel {
  Eigen::MatrixXd K, M;  ///< at `point`
  std::vector<Eigen::MatrixXd> dK, dM;
  Eigen::VectorXd point;
  Eigen::MatrixXd C;  ///< sensors x rows; without rows: no shapes

  [[nodiscard]] Eigen::MatrixXd stiffness(const Eigen::VectorXd& p) const;
  [[nodiscard]] Eigen::MatrixXd mass(const Eigen::VectorXd& p) const;
};

/// The model in a basis, x = V z. @param V empty: as it is.
[[nodiscard]] DenseModel dense_model(const ParametricModel& model, const MeasuredModes& measured,
                                     const Eigen::MatrixXd& V);

/// Lowest modes of a pair, rising, φᵀMφ = 1.
struct DenseModes {
  Eigen::VectorXd eigenvalue;
  Eigen::MatrixXd shapes;  ///< none: K + shift M is not positive definite
};
/// @param shift > 0, of the size of the eigenvalues sought.
[[nodiscard]] DenseModes lowest_dense_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M,
                                            double shift, Eigen::Index count);

[[nodiscard]] double hz_of(double eigenvalue);
[[nodiscard]] Eigen::VectorXd hz_of(const Eigen::VectorXd& eigenvalues);

}  // namespace alembert::update
