#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/model/detail/added_terms.hpp"

namespace alembert::identify {

/// Terms that the equations may lack: in each derivative that is not merely another state an
/// offset, the state itself, its dry friction and drag, where it is a velocity also functions of
/// its position, and powers of the inputs.
/// @param states samples x states along the motion, which give the widths of dry friction.
[[nodiscard]] std::vector<model::AddedTerm> possible_terms(const model::EquationModel& model,
                                                           const Eigen::MatrixXd& states,
                                                           const Eigen::MatrixXd& inputs);

/// The width of dry friction as a smooth term: narrow against the velocities of a motion, and a
/// number of two digits.
[[nodiscard]] double friction_width(const Eigen::Ref<const Eigen::VectorXd>& velocity);

}  // namespace alembert::identify
