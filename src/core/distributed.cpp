#include "alembert/core/distributed.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace alembert {

namespace {

// A launcher tells its processes who they are by environment variables: Open MPI, PMI (MPICH,
// Slurm), PMIx. Without one of them MPI_Init would only cost time.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) {
      return true;
    }
  }
  return false;
}

constexpr int kSizeTag = 1;
constexpr int kValueTag = 2;

// A message is at most this many doubles: MPI counts in int.
constexpr Eigen::Index kMessageLimit = std::numeric_limits<int>::max() / 16;

using Result = std::optional<Eigen::MatrixXd>;

void send(const Result& result) {
  long long shape[2] = {-1, -1};
  if (result) {
    shape[0] = result->rows();
    shape[1] = result->cols();
  }
  MPI_Send(shape, 2, MPI_LONG_LONG, 0, kSizeTag, MPI_COMM_WORLD);
  for (Eigen::Index sent = 0; result && sent < result->size(); sent += kMessageLimit) {
    const Eigen::Index part = std::min(kMessageLimit, result->size() - sent);
    MPI_Send(result->data() + sent, static_cast<int>(part), MPI_DOUBLE, 0, kValueTag,
             MPI_COMM_WORLD);
  }
}

Result receive(int source) {
  long long shape[2] = {-1, -1};
  MPI_Recv(shape, 2, MPI_LONG_LONG, source, kSizeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (shape[0] < 0) {
    return std::nullopt;
  }
  Eigen::MatrixXd matrix(shape[0], shape[1]);
  for (Eigen::Index got = 0; got < matrix.size(); got += kMessageLimit) {
    const Eigen::Index part = std::min(kMessageLimit, matrix.size() - got);
    MPI_Recv(matrix.data() + got, static_cast<int>(part), MPI_DOUBLE, source, kValueTag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return matrix;
}

// The runs of one rank: rank, rank + size, rank + 2 size, ...
std::vector<Result> own_runs(const Machines& machines, std::size_t count,
                             const std::function<Eigen::MatrixXd(std::size_t)>& run,
                             const ParallelOptions& options) {
  const auto rank = static_cast<std::size_t>(machines.rank());
  const auto size = static_cast<std::size_t>(machines.size());
  std::vector<Result> results(count > rank ? (count - rank + size - 1) / size : 0);
  parallel_for(
      results.size(), [&](std::size_t i) { results[i] = run(rank + i * size); }, options);
  return results;
}

}  // namespace

Machines::Machines() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0 && started_by_launcher()) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    owns_mpi_ = true;
    initialised = 1;
  }
  if (initialised != 0) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
}

Machines::~Machines() {
  if (owns_mpi_) {
    MPI_Finalize();
  }
}

void Machines::barrier() const {
  if (size_ > 1) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void Machines::abort(int exit_code) const {
  if (size_ > 1) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
  }
  std::_Exit(exit_code);
}

std::vector<Result> distributed_map(const Machines& machines, std::size_t count,
                                    const std::function<Eigen::MatrixXd(std::size_t)>& run,
                                    const ParallelOptions& options) {
  std::vector<Result> own = own_runs(machines, count, run, options);
  if (machines.size() == 1) {
    return own;
  }
  if (!machines.is_first()) {
    for (const Result& result : own) {
      send(result);
    }
    return {};
  }
  std::vector<Result> all(count);
  const auto size = static_cast<std::size_t>(machines.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t source = i % size;
    all[i] = source == 0 ? std::move(own[i / size]) : receive(static_cast<int>(source));
  }
  return all;
}

}  // namespace alembert
