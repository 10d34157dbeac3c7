#include "reduce/factor/shifted.hpp"

namespace alembert::reduce {
namespace {

// A sum of sparse matrices keeps the entries of both, zeros included: one pattern for all shifts.
model::SparseMatrix shifted_matrix(const model::SparseMatrix& K, const model::SparseMatrix& M,
                                   double shift) {
  return K - shift * M;
}

}  // namespace

ShiftedStructure::ShiftedStructure(const model::SparseMatrix& K, const model::SparseMatrix& M)
    : K_(&K), M_(&M), ldl_(shifted_matrix(K, M, 0.0)) {}

bool ShiftedStructure::factor(double shift) {
  if (factored_ && shift == shift_) return true;
  shift_ = shift;
  ++factorisations_;
  factored_ = ldl_.factor(shifted_matrix(*K_, *M_, shift));
  return factored_;
}

}  // namespace alembert::reduce
