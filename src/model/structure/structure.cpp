#include "alembert/model/structure/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::model {
namespace {

constexpr double kSparseSymmetry = 1e-9;

[[noreturn]] void refuse(const char* matrix, std::string rule, std::string value = {}) {
  throw InvalidInput({.function = "check_structure",
                      .argument = matrix,
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

double largest_entry(const SparseMatrix& A) {
  double largest = 0.0;
  for (Eigen::Index c = 0; c < A.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator entry(A, c); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()));
    }
  }
  return largest;
}

void check_finite(const Structure& structure, const char* name, const SparseMatrix& A) {
  for (Eigen::Index c = 0; c < A.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator entry(A, c); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      refuse(name, fmt::format("must be finite, is not at ({},{}), {}", entry.row() + 1, c + 1,
                               row_words(structure, entry.row())));
    }
  }
}

void check_sparse_symmetry(const char* name, const SparseMatrix& A) {
  const double bound = kSparseSymmetry * largest_entry(A);
  const SparseMatrix transposed = A.transpose();
  const SparseMatrix difference = A - transposed;
  for (Eigen::Index c = 0; c < difference.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator entry(difference, c); entry; ++entry) {
      if (std::abs(entry.value()) <= bound) continue;
      const Eigen::Index row = entry.row();
      refuse(name, "must be symmetric",
             fmt::format("{} at ({},{}) and {} at ({},{}); a file with one triangle must say "
                         "\"symmetric\"",
                         shortest(A.coeff(row, c)), row + 1, c + 1, shortest(A.coeff(c, row)),
                         c + 1, row + 1));
    }
  }
}

void check_diagonal(const Structure& structure, const char* name, const SparseMatrix& A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double entry = A.coeff(i, i);
    if (entry >= 0.0) continue;
    refuse(name, "must be positive semidefinite",
           fmt::format("{} on the diagonal at {}", shortest(entry), row_words(structure, i)));
  }
}

void check_matrix(const Structure& structure, const char* name, const SparseMatrix& A) {
  const Eigen::Index n = structure.size();
  if (A.rows() != n || A.cols() != n) {
    refuse(name, fmt::format("must be {} x {} like K", n, n),
           fmt::format("{} x {}", A.rows(), A.cols()));
  }
  check_finite(structure, name, A);
  check_sparse_symmetry(name, A);
  check_diagonal(structure, name, A);
}

void check_table(const Structure& structure) {
  const auto rows = static_cast<Eigen::Index>(structure.coordinates.size());
  if (rows != 0 && rows != structure.size()) {
    refuse("coordinates",
           fmt::format("must have one entry for each of the {} rows of K", structure.size()),
           std::to_string(rows));
  }
  const auto nodes = static_cast<Eigen::Index>(structure.nodes.size());
  for (const StructureCoordinate& one : structure.coordinates) {
    if (one.node >= 0 && one.node < nodes) continue;
    refuse("coordinates", fmt::format("must name a node in [0, {}]", nodes - 1),
           std::to_string(one.node));
  }
}

// The root of the tree that holds i; paths are halved on the way.
Eigen::Index root_of(std::vector<Eigen::Index>& parent, Eigen::Index i) {
  const auto at = [&](Eigen::Index k) -> Eigen::Index& {
    return parent[static_cast<std::size_t>(k)];
  };
  while (at(i) != i) {
    at(i) = at(at(i));
    i = at(i);
  }
  return i;
}

Eigen::Index count_parts(const Structure& structure) {
  std::vector<Eigen::Index> parent(static_cast<std::size_t>(structure.size()));
  std::iota(parent.begin(), parent.end(), Eigen::Index{0});
  Eigen::Index parts = structure.size();
  for (const SparseMatrix* A : {&structure.K, &structure.M}) {
    for (Eigen::Index c = 0; c < A->outerSize(); ++c) {
      for (SparseMatrix::InnerIterator entry(*A, c); entry; ++entry) {
        if (entry.value() == 0.0) continue;
        const Eigen::Index a = root_of(parent, entry.row());
        const Eigen::Index b = root_of(parent, c);
        if (a == b) continue;
        parent[static_cast<std::size_t>(a)] = b;
        --parts;
      }
    }
  }
  return parts;
}

std::vector<Eigen::Index> empty_rows(const SparseMatrix& A) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (!(A.coeff(i, i) > 0.0)) rows.push_back(i);
  }
  return rows;
}

}  // namespace

std::string row_words(const Structure& structure, Eigen::Index row) {
  if (structure.coordinates.empty()) return fmt::format("row {}", row + 1);
  const StructureCoordinate& one = structure.coordinates[static_cast<std::size_t>(row)];
  return fmt::format("row {} (node {}, {})", row + 1,
                     structure.nodes[static_cast<std::size_t>(one.node)].number,
                     name_of(one.direction));
}

StructureCheck check_structure(const Structure& structure) {
  if (structure.size() == 0) refuse("K", "must have rows");
  check_table(structure);
  check_matrix(structure, "K", structure.K);
  check_matrix(structure, "M", structure.M);
  if (structure.D.size() > 0) check_matrix(structure, "D", structure.D);
  StructureCheck found{.massless = empty_rows(structure.M), .unstiffened = empty_rows(structure.K)};
  for (const Eigen::Index row : found.massless) {
    if (structure.K.coeff(row, row) > 0.0) continue;
    refuse("K", fmt::format("must have stiffness where there is no mass, has none at {}",
                            row_words(structure, row)));
  }
  found.parts = count_parts(structure);
  return found;
}

}  // namespace alembert::model
