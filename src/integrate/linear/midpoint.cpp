#include "alembert/integrate/midpoint.hpp"

#include "alembert/core/check.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"
#include "core/algebra/decompositions.hpp"
#include "integrate/linear/effective_matrix.hpp"

namespace alembert::integrate {

OneStepMap midpoint_map(const model::SecondOrder& system, double step) {
  check::positive("midpoint_map", "step", step);
  (void)model::state_space(system);  // all checks of the system
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::Index m = system.inputs();
  const double h = step;
  const Eigen::MatrixXd stiffness = h * (h * system.K);
  const auto effective = factorised("midpoint_map", "M + step D/2 + step² K/4",
                                    2.0 * system.M + h * system.D + 0.5 * stiffness);

  // (2 M + h D + h² K/2) p_m = 2 M p - h² K q + h² L u_m,   p = h v, one column for each of q, p, u
  Eigen::MatrixXd rhs(n, 2 * n + m);
  rhs << -stiffness, 2.0 * system.M, h * (h * system.L);
  const Eigen::MatrixXd middle = effective.solve(rhs);

  OneStepMap map;
  map.step = step;
  map.drive = Drive::Ends;
  map.F.resize(2 * n, 2 * n);
  // q₊ = q + p_m,   p₊ = 2 p_m - p
  map.F.topRows(n) = middle.leftCols(2 * n);
  map.F.topLeftCorner(n, n).diagonal().array() += 1.0;
  map.F.bottomRows(n) = 2.0 * middle.leftCols(2 * n);
  map.F.bottomRightCorner(n, n).diagonal().array() -= 1.0;
  // u_m = (u + u₊)/2
  map.G.resize(2 * n, 2 * m);
  if (m > 0) {
    map.G.topLeftCorner(n, m) = 0.5 * middle.rightCols(m);
    map.G.bottomLeftCorner(n, m) = middle.rightCols(m);
    map.G.rightCols(m) = map.G.leftCols(m);
  }
  return map;
}

}  // namespace alembert::integrate
