#include "reduce/factor/sparse_ldl.hpp"

#include <dlfcn.h>
#include <dmumps_c.h>
#include <fmt/format.h>

#include <mutex>
#include <new>
#include <vector>

#include "alembert/core/error.hpp"
#include "reduce/factor/ordering.hpp"

namespace alembert::reduce {
namespace {

using model::SparseMatrix;
using MumpsCall = void (*)(DMUMPS_STRUC_C*);

// The address sanitizer forbids RTLD_DEEPBIND; its builds have no MPI beside MUMPS.
#if defined(__SANITIZE_ADDRESS__)
constexpr int kLoadAlone = RTLD_NOW | RTLD_LOCAL;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int kLoadAlone = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int kLoadAlone = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
#else
constexpr int kLoadAlone = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

MumpsCall mumps_call() {
  static const MumpsCall call = [] {
    for (const char* name : {ALEMBERT_MUMPS_LIBRARY, "libdmumps_seq.so"}) {
      void* const library = dlopen(name, kLoadAlone);
      if (library == nullptr) continue;
      void* const symbol = dlsym(library, "dmumps_c");
      if (symbol != nullptr) return reinterpret_cast<MumpsCall>(symbol);
    }
    return MumpsCall{nullptr};
  }();
  if (call == nullptr) {
    throw DataError({.file = ALEMBERT_MUMPS_LIBRARY},
                    "cannot be loaded; install the Debian package libmumps-seq-5.5");
  }
  return call;
}

// Instances share global state inside MUMPS: calls take turns.
std::mutex& mumps_mutex() {
  static std::mutex one;
  return one;
}

constexpr int kNoCommunicator = -987654;  // MUMPS: the world of its dummy
constexpr int kInitialise = -1;
constexpr int kFinish = -2;
constexpr int kAnalyse = 1;
constexpr int kFactor = 2;
constexpr int kSolve = 3;
constexpr int kSymmetricIndefinite = 2;
// INFOG(1) of the MUMPS guide.
constexpr int kNumericallySingular = -10;
constexpr int kWorkspaceTooSmall = -9;
constexpr int kIntegerWorkspaceTooSmall = -8;

}  // namespace

struct SparseLdl::Mumps {
  mutable DMUMPS_STRUC_C state{};
  std::vector<MUMPS_INT> rows, columns, positions;
  std::vector<double> values;

  Mumps() {
    state.comm_fortran = kNoCommunicator;
    state.par = 1;
    state.sym = kSymmetricIndefinite;
    call(kInitialise);
    for (const int stream : {0, 1, 2, 3}) state.icntl[stream] = stream == 3 ? 0 : -1;  // quiet
  }
  ~Mumps() {
    state.job = kFinish;
    const std::lock_guard<std::mutex> lock(mumps_mutex());
    mumps_call()(&state);
  }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;

  int call(int job) const {
    const std::lock_guard<std::mutex> lock(mumps_mutex());
    state.job = job;
    mumps_call()(&state);
    return state.infog[0];
  }
};

SparseLdl::SparseLdl(const SparseMatrix& pattern) : mumps_(std::make_unique<Mumps>()) {
  Mumps& m = *mumps_;
  for (Eigen::Index c = 0; c < pattern.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator entry(pattern, c); entry; ++entry) {
      if (entry.row() < c) continue;  // lower triangle, counted from 1
      m.rows.push_back(static_cast<MUMPS_INT>(entry.row() + 1));
      m.columns.push_back(static_cast<MUMPS_INT>(c + 1));
    }
  }
  m.values.resize(m.rows.size());
  for (const int position : elimination_positions(pattern)) m.positions.push_back(position + 1);
  DMUMPS_STRUC_C& s = m.state;
  s.n = static_cast<MUMPS_INT>(pattern.rows());
  s.nnz = static_cast<MUMPS_INT8>(m.rows.size());
  s.irn = m.rows.data();
  s.jcn = m.columns.data();
  s.a = m.values.data();
  s.perm_in = m.positions.data();
  s.icntl[6] = 1;    // order: ours
  s.icntl[11] = 1;   // no compressed ordering, which would take another
  s.icntl[13] = 30;  // % of memory above the estimate
  s.icntl[26] = 32;  // right sides at a time
  if (m.call(kAnalyse) < 0) throw std::bad_alloc();
}

SparseLdl::~SparseLdl() = default;
SparseLdl::SparseLdl(SparseLdl&&) noexcept = default;
SparseLdl& SparseLdl::operator=(SparseLdl&&) noexcept = default;

bool SparseLdl::factor(const SparseMatrix& A) {
  Mumps& m = *mumps_;
  std::size_t next = 0;
  for (Eigen::Index c = 0; c < A.outerSize(); ++c) {
    for (SparseMatrix::InnerIterator entry(A, c); entry; ++entry) {
      if (entry.row() >= c) m.values[next++] = entry.value();
    }
  }
  for (int tries = 0; tries < 6; ++tries) {
    const int info = m.call(kFactor);
    if (info >= 0) return true;
    if (info == kNumericallySingular) return false;
    if (info != kWorkspaceTooSmall && info != kIntegerWorkspaceTooSmall) break;
    m.state.icntl[13] *= 2;  // pivoting took more than the estimate
  }
  throw std::bad_alloc();
}

Eigen::MatrixXd SparseLdl::solve(const Eigen::MatrixXd& B) const {
  const Mumps& m = *mumps_;
  Eigen::MatrixXd X = B;
  if (X.size() == 0) return X;
  m.state.rhs = X.data();
  m.state.nrhs = static_cast<MUMPS_INT>(X.cols());
  m.state.lrhs = static_cast<MUMPS_INT>(X.rows());
  if (m.call(kSolve) < 0) throw std::bad_alloc();
  return X;
}

Eigen::Index SparseLdl::negative() const { return mumps_->state.infog[11]; }

double SparseLdl::entries() const {
  const MUMPS_INT count = mumps_->state.infog[28];  // negative: in millions
  return count >= 0 ? static_cast<double>(count) : -1e6 * static_cast<double>(count);
}

}  // namespace alembert::reduce
