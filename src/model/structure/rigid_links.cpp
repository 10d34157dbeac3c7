#include <string>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/structure/assembly.hpp"

namespace alembert::model {
namespace {

constexpr int kAll = 6;  // directions of a node

[[noreturn]] void refuse_link(Eigen::Index node, const std::string& rule) {
  throw InvalidInput({.function = "add_rigid_link",
                      .argument = "node",
                      .rule = rule,
                      .value = std::to_string(node)});
}

// Motion of a point at r from the node that it is tied to: u = u' + θ' x r, θ = θ'.
Eigen::Matrix<double, kAll, kAll> carried_motion(const Eigen::Vector3d& r) {
  Eigen::Matrix<double, kAll, kAll> T = Eigen::Matrix<double, kAll, kAll>::Identity();
  T.topRightCorner<3, 3>() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
  return T;
}

}  // namespace

void StructureBuilder::add_rigid_link(Eigen::Index node, Eigen::Index to) {
  (void)id("add_rigid_link", node, Direction::X);
  (void)id("add_rigid_link", to, Direction::X);
  if (node == to) refuse_link(node, "must not be tied to itself");
  if (links_.contains(node)) refuse_link(node, "must be tied once");
  links_.emplace(node, to);
}

void StructureBuilder::check_links() const {
  for (const auto& [node, to] : links_) {
    if (links_.contains(to)) {
      refuse_link(to, "must not be tied itself, where another is tied to it");
    }
    for (int d = 0; d < kAll; ++d) {
      if (fixed_.contains(kAll * node + d)) {
        refuse_link(node, "must not be fixed: fix the other one");
      }
    }
  }
}

std::vector<StructureBuilder::Entry> StructureBuilder::without_links(
    const std::vector<Entry>& entries) const {
  if (links_.empty()) return entries;
  // What a coordinate moves with, and by which factor.
  const auto carriers = [&](std::int64_t at) {
    std::vector<std::pair<std::int64_t, double>> found;
    const auto link = links_.find(at / kAll);
    if (link == links_.end()) return std::vector{std::pair{at, 1.0}};
    const Eigen::Vector3d r = nodes_[static_cast<std::size_t>(link->first)] -
                              nodes_[static_cast<std::size_t>(link->second)];
    const auto row = carried_motion(r).row(static_cast<Eigen::Index>(at % kAll)).eval();
    for (int d = 0; d < kAll; ++d) {
      if (row(d) != 0.0) found.emplace_back(kAll * link->second + d, row(d));
    }
    return found;
  };
  std::vector<Entry> moved;
  moved.reserve(entries.size());
  for (const Entry& entry : entries) {
    for (const auto& [row, left] : carriers(entry.row)) {
      for (const auto& [column, right] : carriers(entry.column)) {
        moved.push_back({row, column, left * right * entry.value});
      }
    }
  }
  return moved;
}

}  // namespace alembert::model
