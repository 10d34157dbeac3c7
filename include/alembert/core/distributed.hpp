#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "alembert/core/parallel.hpp"

namespace alembert {

/// The processes of one job started by mpirun, or this process alone.
///
/// MPI is initialised only when the environment says that a launcher started us, so that a plain
/// run pays nothing. Create one in main, before threads; it finalises MPI at the end of its life.
class Machines {
 public:
  Machines();
  ~Machines();
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// True for the one process that writes files and speaks to the user.
  [[nodiscard]] bool is_first() const noexcept { return rank_ == 0; }
  /// Waits for all processes.
  void barrier() const;
  /// Ends all processes of the job at once with this exit code; for errors on one of them.
  [[noreturn]] void abort(int exit_code) const;

 private:
  int rank_ = 0;
  int size_ = 1;
  bool owns_mpi_ = false;
};

/// Calls run(i) for i = 0..count-1, spread over all machines and over the threads of each, and
/// returns run(i) at index i on the first machine (elsewhere an empty vector). Rank r computes
/// i = r, r + size, ...: since run(i) depends on i alone, the result does not depend on the
/// number of machines or threads. Entries that a stop request prevented are nullopt.
/// An exception in any run is rethrown on the machine where it arose.
std::vector<std::optional<Eigen::MatrixXd>> distributed_map(
    const Machines& machines, std::size_t count,
    const std::function<Eigen::MatrixXd(std::size_t)>& run, const ParallelOptions& options = {});

}  // namespace alembert
