#include "alembert/io/mat_matrices.hpp"
#include "alembert/study/records/state_space.hpp"
#include "study/result/json.hpp"

namespace alembert::study {

void write_state_space_result(const StateSpaceOutcome& result,
                              const std::filesystem::path& folder) {
  const identify::DiscreteModel& model = result.found.model;
  const Eigen::MatrixXd gain =
      model.gain.size() > 0 ? model.gain : Eigen::MatrixXd::Zero(model.F.rows(), model.H.rows());
  io::write_mat_matrices(folder / "model.mat",
                         {{"A", model.F},
                          {"B", model.G},
                          {"C", model.H},
                          {"D", model.J},
                          {"K", gain},
                          {"R", model.noise},
                          {"x0", model.start},
                          {"Ts", Eigen::MatrixXd::Constant(1, 1, model.step)}});
  write_result(describe(result), folder);
}

}  // namespace alembert::study
