#include "core/algebra/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "core/algebra/blas_lock.hpp"
#include "core/algebra/blas_size.hpp"

// LAPACK's QR factorisation; Debian's OpenBLAS holds it but ships no header for it.
extern "C" void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau,
                        double* work, const int* lwork, int* info);

namespace alembert {

void add_gram(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Ref<Eigen::MatrixXd> C) {
  if (A.size() == 0) return;
  const BlasLock lock;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, blas_size(A.cols()), blas_size(A.rows()), 1.0,
              A.data(), leading(A.outerStride()), 1.0, C.data(), leading(C.outerStride()));
}

void add_transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                            const Eigen::Ref<const Eigen::MatrixXd>& B,
                            Eigen::Ref<Eigen::MatrixXd> C) {
  if (A.size() == 0 || B.size() == 0) return;
  const BlasLock lock;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, blas_size(A.cols()), blas_size(B.cols()),
              blas_size(A.rows()), 1.0, A.data(), leading(A.outerStride()), B.data(),
              leading(B.outerStride()), 1.0, C.data(), leading(C.outerStride()));
}

Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                        const Eigen::Ref<const Eigen::MatrixXd>& B) {
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(A.rows(), B.cols());
  if (A.size() == 0 || B.size() == 0) return C;
  const BlasLock lock;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, blas_size(A.rows()), blas_size(B.cols()),
              blas_size(A.cols()), 1.0, A.data(), leading(A.outerStride()), B.data(),
              leading(B.outerStride()), 0.0, C.data(), leading(C.outerStride()));
  return C;
}

Eigen::MatrixXd triangular_factor(Eigen::Ref<Eigen::MatrixXd> A) {
  const int rows = blas_size(A.rows());
  const int columns = blas_size(A.cols());
  const int lda = leading(A.outerStride());
  std::vector<double> tau(static_cast<std::size_t>(std::max(1, std::min(rows, columns))));
  int info = 0;
  double wanted = 0.0;
  const int ask = -1;
  const BlasLock lock;
  dgeqrf_(&rows, &columns, A.data(), &lda, tau.data(), &wanted, &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(std::max(1.0, wanted)));
  const int length = static_cast<int>(work.size());
  dgeqrf_(&rows, &columns, A.data(), &lda, tau.data(), work.data(), &length, &info);
  return A.topRows(std::min(rows, columns)).triangularView<Eigen::Upper>();
}

}  // namespace alembert
