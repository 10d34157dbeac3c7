#pragma once

#include <vector>

#include "alembert/model/structure/structure.hpp"

namespace alembert::reduce {

/// The position of each row in an order of elimination with little fill-in: nested dissection by
/// METIS on the quotient graph, in which rows of equal adjacency (the directions of a node) are one
/// weighted vertex.
/// @param symmetric both triangles stored.
[[nodiscard]] std::vector<int> elimination_positions(const model::SparseMatrix& symmetric);

}  // namespace alembert::reduce
