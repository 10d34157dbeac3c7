#include "reduce/factor/ordering.hpp"

#include <metis.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "alembert/core/error.hpp"

namespace alembert::reduce {
namespace {

using model::SparseMatrix;

/// Rows of equal adjacency as one vertex.
struct Quotient {
  std::vector<idx_t> vertex_of_row;
  std::vector<std::vector<int>> rows;  ///< of each vertex
};

bool equal_columns(const SparseMatrix& A, int a, int b) {
  const int* const outer = A.outerIndexPtr();
  const int* const inner = A.innerIndexPtr();
  return std::equal(inner + outer[a], inner + outer[a + 1], inner + outer[b], inner + outer[b + 1]);
}

std::size_t column_hash(const SparseMatrix& A, int column) {
  std::size_t hash = 1469598103934665603ULL;
  for (int k = A.outerIndexPtr()[column]; k < A.outerIndexPtr()[column + 1]; ++k) {
    hash = (hash ^ static_cast<std::size_t>(A.innerIndexPtr()[k])) * 1099511628211ULL;
  }
  return hash;
}

Quotient quotient_of(const SparseMatrix& A) {
  Quotient found;
  const auto n = static_cast<int>(A.cols());
  found.vertex_of_row.resize(static_cast<std::size_t>(n));
  std::unordered_map<std::size_t, std::vector<idx_t>> vertices;  // by hash
  for (int row = 0; row < n; ++row) {
    std::vector<idx_t>& same_hash = vertices[column_hash(A, row)];
    const auto equal = std::find_if(same_hash.begin(), same_hash.end(), [&](idx_t vertex) {
      return equal_columns(A, row, found.rows[static_cast<std::size_t>(vertex)].front());
    });
    idx_t vertex = 0;
    if (equal != same_hash.end()) {
      vertex = *equal;
    } else {
      vertex = static_cast<idx_t>(found.rows.size());
      found.rows.emplace_back();
      same_hash.push_back(vertex);
    }
    found.rows[static_cast<std::size_t>(vertex)].push_back(row);
    found.vertex_of_row[static_cast<std::size_t>(row)] = vertex;
  }
  return found;
}

/// A graph as METIS takes it.
struct Graph {
  std::vector<idx_t> start = {0}, neighbours, weights;
};

Graph graph_of(const SparseMatrix& A, const Quotient& quotient) {
  Graph graph;
  std::vector<idx_t> seen(quotient.rows.size(), -1);
  for (std::size_t v = 0; v < quotient.rows.size(); ++v) {
    const int column = quotient.rows[v].front();
    seen[v] = static_cast<idx_t>(v);
    for (int k = A.outerIndexPtr()[column]; k < A.outerIndexPtr()[column + 1]; ++k) {
      const idx_t other = quotient.vertex_of_row[static_cast<std::size_t>(A.innerIndexPtr()[k])];
      if (seen[static_cast<std::size_t>(other)] == static_cast<idx_t>(v)) continue;
      seen[static_cast<std::size_t>(other)] = static_cast<idx_t>(v);
      graph.neighbours.push_back(other);
    }
    graph.start.push_back(static_cast<idx_t>(graph.neighbours.size()));
    graph.weights.push_back(static_cast<idx_t>(quotient.rows[v].size()));
  }
  return graph;
}

}  // namespace

std::vector<int> elimination_positions(const SparseMatrix& symmetric) {
  const Quotient quotient = quotient_of(symmetric);
  Graph graph = graph_of(symmetric, quotient);
  auto vertices = static_cast<idx_t>(quotient.rows.size());
  std::vector<idx_t> order(quotient.rows.size());
  std::vector<idx_t> position(quotient.rows.size());
  std::iota(order.begin(), order.end(), idx_t{0});
  // METIS does not take graphs without edges; any order will do there.
  if (!graph.neighbours.empty()) {
    const int status = METIS_NodeND(&vertices, graph.start.data(), graph.neighbours.data(),
                                    graph.weights.data(), nullptr, order.data(), position.data());
    if (status != METIS_OK) throw std::bad_alloc();
  }
  std::vector<int> positions(static_cast<std::size_t>(symmetric.cols()));
  int next = 0;
  for (const idx_t vertex : order) {
    for (const int row : quotient.rows[static_cast<std::size_t>(vertex)]) {
      positions[static_cast<std::size_t>(row)] = next++;
    }
  }
  return positions;
}

}  // namespace alembert::reduce
