#pragma once

#include <Eigen/Core>

#include "alembert/model/structure/structure.hpp"

/// Modes as they were measured.
namespace alembert::update {

/// Frequencies, and shapes at sensors. A shape that was not measured, or an entry, is NaN.
struct MeasuredModes {
  Eigen::VectorXd frequency_hz;
  Eigen::VectorXd deviation_hz = {};  ///< standard deviations; empty: zero
  Eigen::MatrixXd shapes = {};        ///< sensors x modes, real; empty: none
  /// C of y = C x, sensors x rows of the model; empty: no shapes.
  model::SparseMatrix sensors = {};

  [[nodiscard]] Eigen::Index count() const { return frequency_hz.size(); }
  [[nodiscard]] bool has_shape(Eigen::Index mode) const;
};

/// @throws InvalidInput: no mode, frequencies that are not positive, sizes that do not agree.
void check_measured(const MeasuredModes& measured, Eigen::Index rows);

/// A complex shape turned so that its real part is as large as it can be.
struct RealShape {
  Eigen::VectorXd shape;   ///< real part, largest entry 1
  double imaginary = 0.0;  ///< |imaginary part| / |shape|: 0 for a normal mode, at most 0.7
};
[[nodiscard]] RealShape real_shape(const Eigen::Ref<const Eigen::VectorXcd>& shape);

/// Shapes at all rows that have the measured values with the least strain energy (static
/// expansion): x = A⁻¹Cᵀ (C A⁻¹ Cᵀ)⁻¹ y with A = K + shift M. For small models, dense.
/// @param shift > 0 for structures that can move as a whole.
/// @throws InvalidInput if sizes disagree or two sensors measure the same.
[[nodiscard]] Eigen::MatrixXd static_expansion(const Eigen::Ref<const Eigen::MatrixXd>& K,
                                               const Eigen::Ref<const Eigen::MatrixXd>& M,
                                               const Eigen::Ref<const Eigen::MatrixXd>& C,
                                               double shift);

}  // namespace alembert::update
