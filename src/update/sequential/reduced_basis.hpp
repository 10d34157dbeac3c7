#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/modes.hpp"
#include "alembert/update/measured_modes.hpp"
#include "alembert/update/parametric_model.hpp"

namespace alembert::update {

/// Modes of the whole model at some parameters. Dense up to `dense_below` rows.
[[nodiscard]] reduce::StructureModes whole_modes(const ParametricModel& model,
                                                 const Eigen::VectorXd& p, Eigen::Index count);

/// A basis that holds modes at p, what they change by with the parameters (static approximation of
/// the slopes, (K + sM)⁻¹(K_j - λM_j)φ), the shapes that sensors hold, and what else is given.
/// @param followed of the modes, those whose slopes are wanted. @param others more columns.
[[nodiscard]] Eigen::MatrixXd reduced_basis(const ParametricModel& model,
                                            const MeasuredModes& measured, const Eigen::VectorXd& p,
                                            const reduce::StructureModes& modes,
                                            const std::vector<Eigen::Index>& followed, double shift,
                                            const Eigen::MatrixXd& others);

}  // namespace alembert::update
