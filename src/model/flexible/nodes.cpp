#include "model/flexible/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::model::flexible {
namespace {

constexpr int kMostElements = 200;  // of a body: the mass matrix is factored at each evaluation

void check_body(const FlexibleBody& body) {
  const std::string item = fmt::format("flexible body '{}'", body.name);
  const auto positive = [&](const char* what, double value) {
    if (std::isfinite(value) && value > 0.0) return;
    refuse(item, fmt::format("{} must be positive and finite", what), fmt::format("{}", value));
  };
  positive("section.area", body.section.area);
  positive("section.second_moment", body.section.second_moment);
  positive("section.modulus", body.section.modulus);
  positive("section.density", body.section.density);
  if (body.elements < 1 || body.elements > kMostElements) {
    refuse(item, fmt::format("elements must be from 1 to {}", kMostElements),
           std::to_string(body.elements));
  }
  for (const Lump& lump : body.lumps) {
    for (const double value : {lump.mass, lump.inertia}) {
      if (std::isfinite(value) && value >= 0.0) continue;
      refuse(item, fmt::format("the mass and inertia at \"{}\" must be at least 0", lump.point),
             fmt::format("{}", value));
    }
  }
}

// The named points along the axis, ascending.
std::vector<double> named_stations(const planar::Body& body, const std::string& item) {
  std::vector<double> at;
  for (const planar::NamedPoint& point : body.points) {
    if (point.at.y() != 0.0) {
      refuse(item, fmt::format("its points must lie on the x axis of its frame; \"{}\" has y = {}",
                               point.name, point.at.y()));
    }
    at.push_back(point.at.x());
  }
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  if (at.size() < 2) refuse(item, "needs two named points at different places");
  return at;
}

// Each span between named points in equal parts; one more part goes to where they are longest.
std::vector<double> stations(const planar::Body& body, const FlexibleBody& flexible) {
  const std::string item = fmt::format("flexible body '{}'", body.name);
  const std::vector<double> at = named_stations(body, item);
  const std::size_t spans = at.size() - 1;
  if (static_cast<int>(spans) > flexible.elements) {
    refuse(item, fmt::format("its {} points make {} elements at least", at.size(), spans),
           std::to_string(flexible.elements));
  }
  std::vector<int> parts(spans, 1);
  const auto length = [&](std::size_t i) { return (at[i + 1] - at[i]) / parts[i]; };
  for (auto count = static_cast<int>(spans); count < flexible.elements; ++count) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < spans; ++i) {
      // Rounding must not decide between equal spans.
      if (length(i) > (1.0 + 1e-9) * length(longest)) longest = i;
    }
    ++parts[longest];
  }
  std::vector<double> made;
  for (std::size_t i = 0; i < spans; ++i) {
    for (int part = 0; part < parts[i]; ++part) made.push_back(at[i] + part * length(i));
  }
  made.push_back(at.back());
  return made;
}

std::string node_name(const planar::Body& body, double at, std::size_t number) {
  for (const planar::NamedPoint& point : body.points) {
    if (point.at.x() == at) return body.name + "." + point.name;
  }
  return fmt::format("{}#{}", body.name, number + 1);
}

void add_beam(const planar::Body& body, const FlexibleBody& flexible, int index,
              FlexibleLayout& layout) {
  check_body(flexible);
  if (body.mass != 0.0 || body.inertia != 0.0) {
    refuse(fmt::format("flexible body '{}'", body.name),
           "takes its mass from its section; mass and inertia of the body must be 0");
  }
  const std::vector<double> at = stations(body, flexible);
  for (std::size_t i = 0; i < at.size(); ++i) {
    layout.nodes.push_back({.name = node_name(body, at[i], i), .body = index, .at = {at[i], 0.0}});
    if (i == 0) continue;
    const int last = static_cast<int>(layout.nodes.size()) - 1;
    layout.elements.push_back({.body = index,
                               .nodes = {last - 1, last},
                               .beam = beam_matrices(flexible.section, at[i] - at[i - 1])});
  }
}

}  // namespace

void refuse(const std::string& item, const std::string& rule, const std::string& value) {
  throw InvalidInput({.function = "FlexibleMechanism", .item = item, .rule = rule, .value = value});
}

const planar::Body* find_body(const FlexibleDescription& description, const std::string& name) {
  const auto& bodies = description.mechanism.bodies;
  const auto found = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const planar::Body& one) { return one.name == name; });
  return found == bodies.end() ? nullptr : &*found;
}

const FlexibleBody* find_flexible(const FlexibleDescription& description, const std::string& name) {
  const auto found = std::find_if(description.bodies.begin(), description.bodies.end(),
                                  [&](const FlexibleBody& one) { return one.name == name; });
  return found == description.bodies.end() ? nullptr : &*found;
}

BodyPoint find_point(const FlexibleDescription& description, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string owner = name.substr(0, dot);
  const planar::Body* body = find_body(description, owner);
  if (body == nullptr && owner != "ground") refuse("", "no body has this name", name);
  if (dot == std::string::npos) return {.body = body};
  if (body != nullptr) {
    for (const planar::NamedPoint& point : body->points) {
      if (point.name == name.substr(dot + 1)) return {.body = body, .at = point.at};
    }
  }
  refuse("", "no point has this name", name);
}

int node_at(const FlexibleLayout& layout, const std::string& body, const Eigen::Vector2d& at) {
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    const Node& node = layout.nodes[i];
    if (layout.bodies[static_cast<std::size_t>(node.body)] == body && node.at == at) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void add_nodes(const FlexibleDescription& description, FlexibleLayout& layout) {
  for (const FlexibleBody& flexible : description.bodies) {
    if (find_body(description, flexible.name) == nullptr || flexible.name == "ground") {
      refuse(fmt::format("flexible body '{}'", flexible.name),
             "is not a moving body of the mechanism");
    }
  }
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const planar::Body& body = *find_body(description, layout.bodies[i]);
    const FlexibleBody* flexible = find_flexible(description, body.name);
    layout.is_flexible.push_back(flexible != nullptr);
    if (flexible != nullptr) {
      add_beam(body, *flexible, static_cast<int>(i), layout);
    } else {
      layout.nodes.push_back({.name = body.name, .body = static_cast<int>(i), .at = body.centre});
    }
  }
}

}  // namespace alembert::model::flexible
