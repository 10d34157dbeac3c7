#pragma once

#include "model/planar/layout/layout.hpp"

namespace alembert::model::planar {

/// The rows of a joint. @throws InvalidInput that names it.
void add_joint(Layout& layout, const Joint& joint);

/// The row of a coordinate; cylinders are looked up in the description.
void add_coordinate(Layout& layout, const MechanismDescription& description,
                    const Coordinate& coordinate);
void add_sensor(Layout& layout, const MechanismDescription& description, const Sensor& sensor);
void add_force(Layout& layout, const MechanismDescription& description, const Force& force);

void add_passive(Layout& layout, const PassiveForce& passive);

/// The distance of the ends of a cylinder. @throws InvalidInput if no joint of that name is one.
[[nodiscard]] ScalarFunction cylinder_length(const Layout& layout,
                                             const MechanismDescription& description,
                                             const std::string& what, const std::string& name);

/// axis / |axis|. @throws InvalidInput if it has no length or is not finite.
[[nodiscard]] Eigen::Vector2d unit_axis(const std::string& what, const Eigen::Vector2d& axis);

/// (A_d n)·(P_b − P_a).
[[nodiscard]] ScalarFunction projection(int a_point, int b_point, int direction_body,
                                        const Eigen::Vector2d& direction);

/// φ_b − φ_a.
[[nodiscard]] ScalarFunction relative_angle(int a_body, int b_body);

}  // namespace alembert::model::planar
