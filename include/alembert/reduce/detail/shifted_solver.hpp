#pragma once

#include <Eigen/Core>
#include <memory>

#include "alembert/model/structure/structure.hpp"

namespace alembert::reduce {

class ShiftedStructure;

/// Solves (K - s M) X = B by sparse LDLᵀ factors.
class ShiftedSolver {
 public:
  /// @param K, M live as long as this object. @throws InvalidInput if K - s M is singular.
  ShiftedSolver(const model::SparseMatrix& K, const model::SparseMatrix& M, double shift);
  ~ShiftedSolver();
  ShiftedSolver(const ShiftedSolver&) = delete;
  ShiftedSolver& operator=(const ShiftedSolver&) = delete;

  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  std::unique_ptr<ShiftedStructure> factors_;
};

}  // namespace alembert::reduce
