#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>

#include "alembert/model/structure/structure.hpp"

namespace alembert::reduce {

/// LDLᵀ factors of a sparse symmetric matrix, definite or not, with the signs of its eigenvalues.
///
/// By MUMPS (sequential) in the order of elimination_positions(). MUMPS brings its own dummy of MPI
/// along; it is loaded at run time and for itself, so that programs with a real MPI keep theirs.
class SparseLdl {
 public:
  /// Chooses the order of elimination for matrices with this pattern (both triangles stored).
  /// @throws DataError if MUMPS cannot be loaded.
  explicit SparseLdl(const model::SparseMatrix& pattern);
  ~SparseLdl();
  SparseLdl(SparseLdl&&) noexcept;
  SparseLdl& operator=(SparseLdl&&) noexcept;
  SparseLdl(const SparseLdl&) = delete;
  SparseLdl& operator=(const SparseLdl&) = delete;

  /// Factors a matrix of that pattern. Returns false if it is singular to working precision.
  /// @throws std::bad_alloc if there is no memory for the factors.
  [[nodiscard]] bool factor(const model::SparseMatrix& A);

  /// A⁻¹ B. @pre the last factor() returned true.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

  /// Number of negative eigenvalues (Sylvester: that of negative pivots).
  [[nodiscard]] Eigen::Index negative() const;

  /// Numbers in the factors.
  [[nodiscard]] double entries() const;

 private:
  struct Mumps;
  std::unique_ptr<Mumps> mumps_;
};

}  // namespace alembert::reduce
