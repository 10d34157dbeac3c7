#pragma once

#include <optional>
#include <string>

#include "alembert/core/distributed.hpp"

namespace alembert {

/// The MPI library as it names itself, "Open MPI v4.1.4".
[[nodiscard]] std::string mpi_library();

/// The processes of one job started by mpirun, or this process alone. The target
/// alembert::distributed is the only one that needs MPI.
///
/// MPI is initialised only when the environment says that a launcher started us, so that a plain
/// run pays nothing. Create one in main, before threads; it finalises MPI at the end of its life.
class MpiMachines : public Machines {
 public:
  MpiMachines();
  ~MpiMachines() override;

  void barrier() const override;
  [[noreturn]] void abort(int exit_code) const override;
  void send_to_first(const std::optional<Eigen::MatrixXd>& result) const override;
  [[nodiscard]] std::optional<Eigen::MatrixXd> receive_from(int rank) const override;

 private:
  bool owns_mpi_ = false;
};

}  // namespace alembert
