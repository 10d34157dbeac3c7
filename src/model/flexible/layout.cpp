#include "model/flexible/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/mapped.hpp"
#include "model/flexible/layout_loads.hpp"
#include "model/flexible/nodes.hpp"
#include "model/flexible/unknowns.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;

void add_mass(int node, double mass, double inertia, FlexibleLayout& layout) {
  layout.masses(node) += mass;
  const auto& parts = layout.nodes[static_cast<std::size_t>(node)].components;
  const std::array<double, 3> values = {mass, mass, inertia};
  for (std::size_t i = 0; i < 3; ++i) {
    if (parts[i].unknown < 0) continue;
    layout.lumps(parts[i].unknown) += parts[i].factor * parts[i].factor * values[i];
  }
}

void add_masses(const FlexibleDescription& description, FlexibleLayout& layout) {
  layout.lumps = Eigen::VectorXd::Zero(layout.size());
  layout.masses = Eigen::VectorXd::Zero(static_cast<Index>(layout.nodes.size()));
  for (const FlexibleBody& body : description.bodies) {
    for (const Lump& lump : body.lumps) {
      const BodyPoint place = find_point(description, body.name + "." + lump.point);
      add_mass(node_at(layout, body.name, place.at), lump.mass, lump.inertia, layout);
    }
  }
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    if (layout.is_flexible[i]) continue;
    const planar::Body& body = *find_body(description, layout.bodies[i]);
    add_mass(node_at(layout, body.name, body.centre), body.mass, body.inertia, layout);
  }
}

void fill_elements(FlexibleLayout& layout) {
  for (Element& element : layout.elements) {
    for (std::size_t i = 0; i < 6; ++i) {
      const auto node = static_cast<std::size_t>(element.nodes[i / 3]);
      element.components[i] = layout.nodes[node].components[i % 3];
    }
  }
}

// The envelope of M: what elements couple, and the zeroed rows in full.
void fill_rows(FlexibleLayout& layout) {
  layout.row_start.resize(layout.unknowns.size());
  for (int i = 0; i < layout.size(); ++i) {
    layout.row_start[static_cast<std::size_t>(i)] = i < layout.elastic() ? i : 0;
  }
  for (const Element& element : layout.elements) {
    int first = layout.size();
    for (const NodeComponent& part : element.components) {
      if (part.unknown >= 0) first = std::min(first, part.unknown);
    }
    for (const NodeComponent& part : element.components) {
      if (part.unknown < 0) continue;
      int& start = layout.row_start[static_cast<std::size_t>(part.unknown)];
      start = std::min(start, first);
    }
  }
}

}  // namespace

int find_node(const FlexibleLayout& layout, const std::string& name) {
  if (name.substr(0, name.find('.')) == "ground") return -1;
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    const Node& node = layout.nodes[i];
    if (node.name == name || layout.bodies[static_cast<std::size_t>(node.body)] == name) {
      return static_cast<int>(i);
    }
  }
  refuse("", "no body or node has this name", name);
}

void reorder(const std::vector<int>& order, int zeroed, FlexibleLayout& layout) {
  std::vector<int> place(order.size());
  std::vector<Unknown> unknowns;
  Eigen::VectorXd lumps(layout.lumps.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    unknowns.push_back(layout.unknowns[static_cast<std::size_t>(order[i])]);
    lumps(static_cast<Index>(i)) = layout.lumps(order[i]);
  }
  for (Node& node : layout.nodes) {
    for (NodeComponent& part : node.components) {
      if (part.unknown >= 0) part.unknown = place[static_cast<std::size_t>(part.unknown)];
    }
  }
  layout.unknowns = std::move(unknowns);
  layout.lumps = std::move(lumps);
  layout.zeroed = zeroed;
  layout.names = mapped(layout.unknowns, [](const Unknown& one) { return one.name; });
  fill_elements(layout);
  fill_rows(layout);
}

FlexibleLayout make_layout(const FlexibleDescription& description,
                           const std::vector<std::string>& moving) {
  FlexibleLayout layout;
  layout.bodies = moving;
  add_nodes(description, layout);
  add_unknowns(description, layout);
  add_masses(description, layout);
  add_loads(description, layout);
  std::vector<int> order(layout.unknowns.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  reorder(order, 0, layout);
  return layout;
}

}  // namespace alembert::model::flexible
