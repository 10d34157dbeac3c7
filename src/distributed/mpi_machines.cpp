#include "alembert/distributed/mpi_machines.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
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

}  // namespace

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text = {};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);  // allowed before MPI_Init
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

MpiMachines::MpiMachines() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0 && started_by_launcher()) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    owns_mpi_ = true;
    initialised = 1;
  }
  if (initialised == 0) return;
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  set_place(rank, size);
}

MpiMachines::~MpiMachines() {
  if (owns_mpi_) MPI_Finalize();
}

void MpiMachines::barrier() const {
  if (size() > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void MpiMachines::abort(int exit_code) const {
  if (size() > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

void MpiMachines::send_to_first(const std::optional<Eigen::MatrixXd>& result) const {
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

std::optional<Eigen::MatrixXd> MpiMachines::receive_from(int rank) const {
  long long shape[2] = {-1, -1};
  MPI_Recv(shape, 2, MPI_LONG_LONG, rank, kSizeTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (shape[0] < 0) return std::nullopt;
  Eigen::MatrixXd matrix(shape[0], shape[1]);
  for (Eigen::Index got = 0; got < matrix.size(); got += kMessageLimit) {
    const Eigen::Index part = std::min(kMessageLimit, matrix.size() - got);
    MPI_Recv(matrix.data() + got, static_cast<int>(part), MPI_DOUBLE, rank, kValueTag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return matrix;
}

}  // namespace alembert
