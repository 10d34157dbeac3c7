#include "identify/linear/force_evidence.hpp"

#include <fmt/format.h>

namespace alembert::identify {
namespace {

// A shift of half a deviation leaves 92 of 100 intervals of 95 % right, one of a whole
// deviation 83.
constexpr double kMatters = 0.5;

// How much larger X is than it would be after the shift, along X itself, in %.
double excess(const Eigen::MatrixXd& with, const Eigen::MatrixXd& without) {
  return 100.0 * with.cwiseProduct(with - without).sum() / with.squaredNorm();
}

}  // namespace

void judge_force_noise(const LinearIdentification& result, Evidence& evidence) {
  const Refinement& refinement = result.refinement;
  const Eigen::VectorXd& shift = refinement.force_shift;
  if (shift.size() == 0 || refinement.coloured.deviations.size() < shift.size()) return;
  const Eigen::VectorXd deviations = refinement.coloured.deviations.head(shift.size());
  const double largest = shift.cwiseQuotient(deviations).cwiseAbs().maxCoeff();
  if (!(largest > kMatters)) return;
  const Parametrisation& unknowns = result.problem.unknowns;
  const Matrices with = matrices(unknowns, refinement.theta);
  const Matrices without = matrices(unknowns, refinement.theta + shift);
  evidence.add(
      TrustLevel::Caution,
      fmt::format("the residuals are those of unmeasured forces, {:.2g} % of the measured ones; if "
                  "they are noise of the force sensors, M, D and K are off by {:+.2g}, {:+.2g} and "
                  "{:+.2g} %, an unknown by up to {:.2g} deviations",
                  100.0 * refinement.force_noise, excess(with.M, without.M),
                  excess(with.D, without.D), excess(with.K, without.K), largest),
      "measure the noise of the force sensors at rest and give it as input-noise");
}

}  // namespace alembert::identify
