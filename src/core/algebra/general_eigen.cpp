#include "core/algebra/general_eigen.hpp"

#include <cmath>
#include <vector>

#include "core/algebra/blas_lock.hpp"
#include "core/algebra/blas_size.hpp"

// Debian's OpenBLAS holds LAPACK but ships no header for it.
extern "C" void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda,
                       double* wr, double* wi, double* vl, const int* ldvl, double* vr,
                       const int* ldvr, double* work, const int* lwork, int* info);

namespace alembert {

Eigen::VectorXcd general_eigenvalues(Eigen::MatrixXd A) {
  const char none = 'N';
  const int size = blas_size(A.rows());
  const int lda = leading(size);
  const int one = 1;
  double unused = 0.0;
  // Without vectors LAPACK needs 3 n numbers, and more to work in blocks.
  std::vector<double> work(static_cast<std::size_t>(66 * lda));
  const int length = static_cast<int>(work.size());
  Eigen::VectorXd real(A.rows());
  Eigen::VectorXd imaginary(A.rows());
  Eigen::VectorXcd values(A.rows());
  if (size == 0) return values;
  int info = 0;
  const BlasLock lock;
  dgeev_(&none, &none, &size, A.data(), &lda, real.data(), imaginary.data(), &unused, &one, &unused,
         &one, work.data(), &length, &info);
  values.real() = real;
  values.imag() = imaginary;
  // LAPACK finds the last ones first: those before `info` did not converge.
  if (info > 0) values.head(info).setConstant(std::nan(""));
  return values;
}

}  // namespace alembert
