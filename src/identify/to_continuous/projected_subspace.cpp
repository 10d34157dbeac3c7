#include "alembert/core/check.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "identify/to_continuous/force_distribution.hpp"

namespace alembert::identify {

ProjectedSubspace projected_subspace(const Experiments& data,
                                     const Eigen::Ref<const Eigen::MatrixXd>& L,
                                     const ProjectedSubspaceOptions& options) {
  check_experiments("projected_subspace", data);
  const Eigen::Index n = data.front().output.cols();
  check_force_distribution("projected_subspace", L, n);
  check::size("projected_subspace", "number of inputs", data.front().input.cols(), n);
  SubspaceOptions subspace_options = options.subspace;
  subspace_options.order = 2 * n;
  subspace_options.feedthrough = false;
  ProjectedSubspace estimate;
  estimate.subspace = subspace(data, subspace_options);
  const auto note = [&estimate](const Outcome& outcome) {
    if (!estimate.ok()) return;
    estimate.status = outcome.status;
    estimate.message = outcome.message;
  };
  note(estimate.subspace);
  if (estimate.subspace.status == Status::NotFinite) return estimate;
  estimate.continuous = to_continuous(estimate.subspace.model, options.rule);
  note(estimate.continuous);
  if (estimate.continuous.status == Status::NotFinite) return estimate;
  const ProjectedMatrices projected =
      second_order_projection(estimate.continuous, L, options.scaling);
  note(projected);
  estimate.matrices = projected.matrices;
  estimate.asymmetry = projected.asymmetry;
  return estimate;
}

}  // namespace alembert::identify
