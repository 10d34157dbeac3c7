#pragma once

#include <span>

#include "alembert/model/flexible/mechanism.hpp"
#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// Adds gravity of lumped masses, springs with dampers and the forces to state.load.
void add_node_loads(const FlexibleDescription& description, const FlexibleLayout& layout,
                    std::span<const double> forces, FlexibleState& state) noexcept;

/// Sets M (see factor_skyline()) and state.load at a state that was moved to: M b'' = load.
void assemble_equations(const FlexibleDescription& description, const FlexibleLayout& layout,
                        std::span<const double> forces, FlexibleState& state) noexcept;

/// Energy of springs with preload, J.
[[nodiscard]] double spring_energy(const FlexibleLayout& layout, const FlexibleState& state);

/// Power that the dampers of springs take, W.
[[nodiscard]] double spring_loss(const FlexibleLayout& layout, const FlexibleState& state) noexcept;

/// Where a node is, displacement included.
[[nodiscard]] Eigen::Vector2d node_position(const Node& node, const FlexibleState& state);
[[nodiscard]] double node_angle(const Node& node, const FlexibleState& state);

/// The world's force (x, y) and torque of one unit of a force on its node.
[[nodiscard]] Eigen::Vector3d unit_load(const LayoutForce& force, const FlexibleLayout& layout,
                                        const FlexibleState& state);

}  // namespace alembert::model::flexible
