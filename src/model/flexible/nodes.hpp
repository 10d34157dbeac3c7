#pragma once

#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// The nodes of all moving bodies along their axes, and the elements between them.
/// @throws InvalidInput that names the body.
void add_nodes(const FlexibleDescription& description, FlexibleLayout& layout);

/// The body of a description; null for none.
[[nodiscard]] const planar::Body* find_body(const FlexibleDescription& description,
                                            const std::string& name);
[[nodiscard]] const FlexibleBody* find_flexible(const FlexibleDescription& description,
                                                const std::string& name);

/// Position of "body" or "body.point" in the frame of the body, and the body.
struct BodyPoint {
  const planar::Body* body = nullptr;  ///< null: the ground without points
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
};
[[nodiscard]] BodyPoint find_point(const FlexibleDescription& description, const std::string& name);

/// Node of a body at a place of it; -1 if there is none.
[[nodiscard]] int node_at(const FlexibleLayout& layout, const std::string& body,
                          const Eigen::Vector2d& at);

[[noreturn]] void refuse(const std::string& item, const std::string& rule,
                         const std::string& value = "");

}  // namespace alembert::model::flexible
