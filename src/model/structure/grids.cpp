#include <algorithm>
#include <functional>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/model/structure/assembly.hpp"

namespace alembert::model {
namespace {

void check_lines(const char* function, const char* argument, const std::vector<double>& lines) {
  if (lines.size() < 2) {
    throw InvalidInput({.function = function,
                        .argument = argument,
                        .rule = "must have at least two lines",
                        .value = std::to_string(lines.size())});
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i] > lines[i - 1]) continue;
    throw InvalidInput({.function = function,
                        .argument = argument,
                        .rule = "must rise",
                        .value = shortest(lines[i]) + " after " + shortest(lines[i - 1])});
  }
}

bool is_cut_out(const PlateGrid& grid, double x, double y) {
  return std::any_of(grid.cutouts.begin(), grid.cutouts.end(), [&](const Rectangle& hole) {
    return x > hole.x0 && x < hole.x1 && y > hole.y0 && y < hole.y1;
  });
}

}  // namespace

void add_plate(const PlateGrid& grid, StructureBuilder& builder) {
  check_lines("add_plate", "x", grid.x);
  check_lines("add_plate", "y", grid.y);
  const std::size_t columns = grid.y.size();
  std::vector<std::array<std::size_t, 4>> elements;
  std::vector<Eigen::Index> node(grid.x.size() * columns, -1);
  for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
    for (std::size_t j = 0; j + 1 < columns; ++j) {
      const double x = 0.5 * (grid.x[i] + grid.x[i + 1]);
      if (is_cut_out(grid, x, 0.5 * (grid.y[j] + grid.y[j + 1]))) continue;
      const std::size_t at = i * columns + j;
      elements.push_back({at, at + columns, at + columns + 1, at + 1});
      for (const std::size_t corner : elements.back()) node[corner] = 0;
    }
  }
  if (elements.empty()) {
    throw InvalidInput({.function = "add_plate",
                        .argument = "cutouts",
                        .rule = "must leave at least one element"});
  }
  for (std::size_t k = 0; k < node.size(); ++k) {
    if (node[k] == 0) node[k] = builder.add_node({grid.x[k / columns], grid.y[k % columns], 0.0});
  }
  for (const std::array<std::size_t, 4>& e : elements) {
    builder.add_quad4({node[e[0]], node[e[1]], node[e[2]], node[e[3]]}, grid.material,
                      grid.thickness, grid.state);
  }
}

namespace {

bool is_cut_out(const BlockGrid& grid, const Eigen::Vector3d& at) {
  return std::any_of(grid.cutouts.begin(), grid.cutouts.end(), [&](const Box& hole) {
    return at.x() > hole.x0 && at.x() < hole.x1 && at.y() > hole.y0 && at.y() < hole.y1 &&
           at.z() > hole.z0 && at.z() < hole.z1;
  });
}

// The cells of a block and which of them are there.
class BlockCells {
 public:
  explicit BlockCells(const BlockGrid& grid)
      : count_{grid.x.size() - 1, grid.y.size() - 1, grid.z.size() - 1} {
    for (std::size_t i = 0; i < count_[0]; ++i) {
      for (std::size_t j = 0; j < count_[1]; ++j) {
        for (std::size_t k = 0; k < count_[2]; ++k) {
          const Eigen::Vector3d middle =
              0.5 * (Eigen::Vector3d(grid.x[i], grid.y[j], grid.z[k]) +
                     Eigen::Vector3d(grid.x[i + 1], grid.y[j + 1], grid.z[k + 1]));
          there_.push_back(!is_cut_out(grid, middle));
        }
      }
    }
  }

  [[nodiscard]] std::size_t count() const { return there_.size(); }
  [[nodiscard]] bool is_there(std::size_t cell) const { return there_[cell]; }
  [[nodiscard]] bool any() const {
    return std::find(there_.begin(), there_.end(), true) != there_.end();
  }

  // Corners among the points of the grid: those of the lower face counter-clockwise, then above.
  [[nodiscard]] std::array<std::size_t, 8> corners(std::size_t cell) const {
    const std::size_t dy = count_[2] + 1;
    const std::size_t dx = dy * (count_[1] + 1);
    const std::array<std::size_t, 3> at = place(cell);
    const std::size_t first = at[0] * dx + at[1] * dy + at[2];
    return {first,     first + dx,     first + dx + dy,     first + dy,
            first + 1, first + dx + 1, first + dx + dy + 1, first + dy + 1};
  }

  // Whether the neighbour along an axis, on its high or low side, is missing.
  [[nodiscard]] bool is_outer(std::size_t cell, std::size_t axis, bool high) const {
    std::array<std::size_t, 3> at = place(cell);
    if (high ? at[axis] + 1 == count_[axis] : at[axis] == 0) return true;
    at[axis] = high ? at[axis] + 1 : at[axis] - 1;
    return !there_[(at[0] * count_[1] + at[1]) * count_[2] + at[2]];
  }

 private:
  [[nodiscard]] std::array<std::size_t, 3> place(std::size_t cell) const {
    return {cell / (count_[1] * count_[2]), cell / count_[2] % count_[1], cell % count_[2]};
  }

  std::array<std::size_t, 3> count_;
  std::vector<bool> there_;
};

// Nodes at the points of the grid that a cell has; -1: none.
std::vector<Eigen::Index> add_block_nodes(const BlockGrid& grid, const BlockCells& cells,
                                          StructureBuilder& builder) {
  const std::size_t dy = grid.z.size();
  const std::size_t dx = dy * grid.y.size();
  std::vector<Eigen::Index> node(grid.x.size() * dx, -1);
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    if (!cells.is_there(cell)) continue;
    for (const std::size_t corner : cells.corners(cell)) node[corner] = 0;
  }
  for (std::size_t k = 0; k < node.size(); ++k) {
    if (node[k] < 0) continue;
    node[k] = builder.add_node({grid.x[k / dx], grid.y[k / dy % grid.y.size()], grid.z[k % dy]});
  }
  return node;
}

// Faces of a brick by its corners: axis, whether on its high side, corners.
struct BrickFace {
  std::size_t axis;
  bool high;
  std::array<std::size_t, 4> corners;
};
constexpr std::array<BrickFace, 6> kBrickFaces = {{{2, false, {0, 1, 2, 3}},
                                                   {2, true, {4, 5, 6, 7}},
                                                   {1, false, {0, 1, 5, 4}},
                                                   {1, true, {3, 2, 6, 7}},
                                                   {0, false, {0, 3, 7, 4}},
                                                   {0, true, {1, 2, 6, 5}}}};

}  // namespace

void add_block(const BlockGrid& grid, StructureBuilder& builder) {
  check_lines("add_block", "x", grid.x);
  check_lines("add_block", "y", grid.y);
  check_lines("add_block", "z", grid.z);
  const BlockCells cells(grid);
  if (!cells.any()) {
    throw InvalidInput({.function = "add_block",
                        .argument = "cutouts",
                        .rule = "must leave at least one element"});
  }
  const std::vector<Eigen::Index> node = add_block_nodes(grid, cells, builder);
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    if (!cells.is_there(cell)) continue;
    const std::array<std::size_t, 8> corners = cells.corners(cell);
    std::array<Eigen::Index, 8> nodes{};
    std::transform(corners.begin(), corners.end(), nodes.begin(),
                   [&](std::size_t corner) { return node[corner]; });
    builder.add_hex8(nodes, grid.material, grid.incompatible_modes);
    for (const BrickFace& face : kBrickFaces) {
      if (!cells.is_outer(cell, face.axis, face.high)) continue;
      builder.add_face({nodes[face.corners[0]], nodes[face.corners[1]], nodes[face.corners[2]],
                        nodes[face.corners[3]]});
    }
  }
}

}  // namespace alembert::model
