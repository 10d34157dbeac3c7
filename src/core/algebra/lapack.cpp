#include "core/algebra/lapack.hpp"

#include <cblas.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/algebra/blas.hpp"
#include "core/algebra/blas_lock.hpp"
#include "core/algebra/blas_size.hpp"

// Debian's OpenBLAS holds LAPACK but ships no header for it.
extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork,
             int* iwork, int* info);
void dsyevd_(const char* job, const char* uplo, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace alembert {

namespace {

// The workspace query, then the factorisation.
void divide_and_conquer(char job, Eigen::MatrixXd& A, SingularParts& parts) {
  const int rows = blas_size(A.rows());
  const int columns = blas_size(A.cols());
  const int least = std::min(rows, columns);
  const int lda = leading(rows);
  const int ldu = leading(parts.left.rows());
  const int ldvt = leading(parts.right_transposed.rows());
  std::vector<int> integers(static_cast<std::size_t>(8 * least));
  double wanted = 0.0;
  const int ask = -1;
  int info = 0;
  const BlasLock lock;
  dgesdd_(&job, &rows, &columns, A.data(), &lda, parts.values.data(), parts.left.data(), &ldu,
          parts.right_transposed.data(), &ldvt, &wanted, &ask, integers.data(), &info);
  std::vector<double> work(static_cast<std::size_t>(std::max(1.0, wanted)));
  const int length = static_cast<int>(work.size());
  dgesdd_(&job, &rows, &columns, A.data(), &lda, parts.values.data(), parts.left.data(), &ldu,
          parts.right_transposed.data(), &ldvt, work.data(), &length, integers.data(), &info);
}

}  // namespace

void add_outer_gram(const Eigen::Ref<const Eigen::MatrixXd>& A, double scale,
                    Eigen::Ref<Eigen::MatrixXd> C) {
  if (A.size() == 0) return;
  const BlasLock lock;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, blas_size(A.rows()), blas_size(A.cols()),
              scale, A.data(), leading(A.outerStride()), 1.0, C.data(), leading(C.outerStride()));
}

void add_outer_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                       const Eigen::Ref<const Eigen::MatrixXd>& B, Eigen::Ref<Eigen::MatrixXd> C) {
  if (A.size() == 0 || B.size() == 0) return;
  const BlasLock lock;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, blas_size(A.rows()), blas_size(B.rows()),
              blas_size(A.cols()), 1.0, A.data(), leading(A.outerStride()), B.data(),
              leading(B.outerStride()), 1.0, C.data(), leading(C.outerStride()));
}

bool cholesky_in_place(Eigen::Ref<Eigen::MatrixXd> A) {
  if (A.size() == 0) return true;
  const char lower = 'L';
  const int size = blas_size(A.rows());
  const int lda = leading(A.outerStride());
  int info = 0;
  const BlasLock lock;
  dpotrf_(&lower, &size, A.data(), &lda, &info);
  A.triangularView<Eigen::StrictlyUpper>().setZero();
  return info == 0;
}

void solve_lower(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::MatrixXd> B) {
  if (B.size() == 0) return;
  const BlasLock lock;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, blas_size(B.rows()),
              blas_size(B.cols()), 1.0, L.data(), leading(L.outerStride()), B.data(),
              leading(B.outerStride()));
}

SingularParts singular_parts(Eigen::MatrixXd A) {
  const Eigen::Index least = std::min(A.rows(), A.cols());
  SingularParts parts{Eigen::MatrixXd(A.rows(), least), Eigen::VectorXd(least),
                      Eigen::MatrixXd(least, A.cols())};
  if (least > 0) divide_and_conquer('S', A, parts);
  return parts;
}

SingularParts left_singular_parts(const Eigen::MatrixXd& A) {
  if (A.rows() > A.cols()) return singular_parts(A);
  Eigen::MatrixXd transposed = A.transpose();
  return singular_parts(triangular_factor(transposed).transpose());
}

Eigen::VectorXd eigenvalues(Eigen::MatrixXd A) {
  const char job = 'N';
  const char lower = 'L';
  const int size = blas_size(A.rows());
  const int lda = leading(size);
  // Without vectors LAPACK needs 2 n + 1 numbers, and more to work in blocks.
  std::vector<double> work(static_cast<std::size_t>(66 * lda + 1));
  const int length = static_cast<int>(work.size());
  const int integers = 1;
  int integer = 0;
  int info = 0;
  Eigen::VectorXd values(A.rows());
  if (size == 0) return values;
  const BlasLock lock;
  dsyevd_(&job, &lower, &size, A.data(), &lda, values.data(), work.data(), &length, &integer,
          &integers, &info);
  return values;
}

EigenParts eigen_parts(Eigen::MatrixXd A) {
  const char job = 'V';
  const char lower = 'L';
  const int size = blas_size(A.rows());
  const int lda = leading(size);
  // As LAPACK documents for vectors: 1 + 6 n + 2 n² numbers, 3 + 5 n integers.
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> work(1 + 6 * n + 2 * n * n);
  std::vector<int> integers(3 + 5 * n);
  const int length = static_cast<int>(work.size());
  const int integer_length = static_cast<int>(integers.size());
  int info = 0;
  EigenParts parts{Eigen::VectorXd(A.rows()), {}};
  if (size > 0) {
    const BlasLock lock;
    dsyevd_(&job, &lower, &size, A.data(), &lda, parts.values.data(), work.data(), &length,
            integers.data(), &integer_length, &info);
  }
  parts.vectors = std::move(A);
  return parts;
}

Eigen::VectorXd singular_values(Eigen::MatrixXd A) {
  const Eigen::Index least = std::min(A.rows(), A.cols());
  SingularParts parts{Eigen::MatrixXd(1, 1), Eigen::VectorXd(least), Eigen::MatrixXd(1, 1)};
  if (least > 0) divide_and_conquer('N', A, parts);
  return parts.values;
}

}  // namespace alembert
