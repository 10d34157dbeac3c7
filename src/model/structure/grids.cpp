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

using Quad = std::array<std::size_t, 4>;

// The corners of the cell in this order: those of its lower face counter-clockwise, then above.
std::array<std::size_t, 8> cell_corners(std::size_t first, std::size_t step_x, std::size_t step_y) {
  return {first,     first + step_x,     first + step_x + step_y,     first + step_y,
          first + 1, first + step_x + 1, first + step_x + step_y + 1, first + step_y + 1};
}

}  // namespace

void add_block(const BlockGrid& grid, StructureBuilder& builder) {
  check_lines("add_block", "x", grid.x);
  check_lines("add_block", "y", grid.y);
  check_lines("add_block", "z", grid.z);
  const Eigen::Index offset = builder.nodes();
  for (const double x : grid.x) {
    for (const double y : grid.y) {
      for (const double z : grid.z) (void)builder.add_node({x, y, z});
    }
  }
  const std::size_t step_y = grid.z.size();
  const std::size_t step_x = step_y * grid.y.size();
  const auto index = [&](std::size_t k) { return offset + static_cast<Eigen::Index>(k); };
  const auto face = [&](const std::array<std::size_t, 8>& c, const Quad& which) {
    builder.add_face(
        {index(c[which[0]]), index(c[which[1]]), index(c[which[2]]), index(c[which[3]])});
  };
  for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
    for (std::size_t j = 0; j + 1 < grid.y.size(); ++j) {
      for (std::size_t k = 0; k + 1 < grid.z.size(); ++k) {
        const auto c = cell_corners(i * step_x + j * step_y + k, step_x, step_y);
        std::array<Eigen::Index, 8> nodes{};
        std::transform(c.begin(), c.end(), nodes.begin(), index);
        builder.add_hex8(nodes, grid.material, grid.incompatible_modes);
        if (k == 0) face(c, {0, 1, 2, 3});
        if (k + 2 == grid.z.size()) face(c, {4, 5, 6, 7});
        if (j == 0) face(c, {0, 1, 5, 4});
        if (j + 2 == grid.y.size()) face(c, {3, 2, 6, 7});
        if (i == 0) face(c, {0, 3, 7, 4});
        if (i + 2 == grid.x.size()) face(c, {1, 2, 6, 5});
      }
    }
  }
}

}  // namespace alembert::model
