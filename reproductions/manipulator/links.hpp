#pragma once

#include <Eigen/Core>

#include "alembert/model/flexible/mechanism.hpp"

namespace alembert::reproductions::manipulator {

/// Which numbers the model has.
enum class Variant {
  Table,  ///< [MultibodyThesis, tables 4.1 and 4.5] as printed
  Calib,  ///< eight of them fitted to the eight printed frequencies
};

/// Five links AB, AD, BC, CE, EF in a level plane with torques at A, A and E. @param inner place of
/// the node on CE that the thesis does not give, m from C.
[[nodiscard]] model::flexible::FlexibleDescription links(Variant variant, double inner);

/// The place of that node in most of our runs, m.
inline constexpr double kInnerNode = 0.60;

/// [MultibodyThesis, section 5.3]: angles of AB, AD and EF, rad.
[[nodiscard]] Eigen::VectorXd reference_pose();

}  // namespace alembert::reproductions::manipulator
