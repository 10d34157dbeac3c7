#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "alembert/core/parallel.hpp"

namespace alembert {

/// The processes that share the runs of one job: this one alone, unless a derived class says
/// otherwise. MpiMachines (alembert/distributed/mpi_machines.hpp) are those that mpirun started.
class Machines {
 public:
  Machines() = default;
  virtual ~Machines() = default;
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// True for the one process that writes files and speaks to the user.
  [[nodiscard]] bool is_first() const noexcept { return rank_ == 0; }
  /// Waits for all processes.
  virtual void barrier() const {}
  /// Ends all processes of the job at once with this exit code; for errors on one of them.
  [[noreturn]] virtual void abort(int exit_code) const;

  /// Hands a result, or that there is none, to the first process, which receive()s what another
  /// one sends in the order of its sending. Not called where size() = 1.
  virtual void send_to_first(const std::optional<Eigen::MatrixXd>& result) const;
  [[nodiscard]] virtual std::optional<Eigen::MatrixXd> receive_from(int rank) const;

 protected:
  void set_place(int rank, int size) noexcept {
    rank_ = rank;
    size_ = size;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
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
