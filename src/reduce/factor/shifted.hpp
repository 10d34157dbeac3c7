#pragma once

#include <Eigen/Core>

#include "alembert/model/structure/structure.hpp"
#include "reduce/factor/sparse_ldl.hpp"

namespace alembert::reduce {

/// K - s M for changing shifts s, factored in one order of elimination.
class ShiftedStructure {
 public:
  /// @pre both symmetric, of one size, both triangles stored; they outlive this object.
  ShiftedStructure(const model::SparseMatrix& K, const model::SparseMatrix& M);

  /// Factors K - s M; false if it is singular to working precision.
  [[nodiscard]] bool factor(double shift);
  /// (K - s M)⁻¹ B for the last shift.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const { return ldl_.solve(B); }
  /// Eigenvalues of (K, M) below the last shift, by Sylvester's law of inertia.
  [[nodiscard]] Eigen::Index below() const { return ldl_.negative(); }

  [[nodiscard]] const model::SparseMatrix& stiffness() const { return *K_; }
  [[nodiscard]] const model::SparseMatrix& mass() const { return *M_; }
  [[nodiscard]] Eigen::Index size() const { return K_->rows(); }
  [[nodiscard]] double shift() const { return shift_; }
  [[nodiscard]] int factorisations() const { return factorisations_; }
  [[nodiscard]] double factor_entries() const { return ldl_.entries(); }

 private:
  const model::SparseMatrix* K_;
  const model::SparseMatrix* M_;
  SparseLdl ldl_;
  double shift_ = 0.0;
  bool factored_ = false;
  int factorisations_ = 0;
};

}  // namespace alembert::reduce
