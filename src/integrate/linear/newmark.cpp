#include "alembert/integrate/newmark.hpp"

#include "alembert/core/check.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"
#include "core/algebra/decompositions.hpp"
#include "integrate/linear/effective_matrix.hpp"

namespace alembert::integrate {

OneStepMap newmark_map(const model::SecondOrder& system, double step,
                       const NewmarkOptions& options) {
  check::in_range("newmark_map", "beta", options.beta, 0.0, 1.0);
  check::in_range("newmark_map", "gamma", options.gamma, 0.0, 1.0);
  const ScaledSystem form = scaled_system("newmark_map", system, step);
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::Index m = system.inputs();
  const double beta = options.beta;
  const double gamma = options.gamma;
  const Eigen::MatrixXd damping = step * system.D;
  const Eigen::MatrixXd stiffness = step * (step * system.K);
  const Eigen::MatrixXd force = step * (step * system.L);
  const auto effective = factorised("newmark_map", "M + gamma step D + beta step² K",
                                    system.M + gamma * damping + beta * stiffness);

  // One column for each entry of (q, p, u, u₊), with p = h v and b = h² a.
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(n, 2 * n + 2 * m);
  Eigen::MatrixXd p = q;
  Eigen::MatrixXd load = q;
  q.leftCols(n).setIdentity();
  p.middleCols(n, n).setIdentity();
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n, 2 * n + 2 * m);
  b.leftCols(2 * n) = form.A.bottomRows(n);
  if (m > 0) {
    load.rightCols(m) = force;
    b.middleCols(2 * n, m) = form.B.bottomRows(n);
  }

  // Predictors without b₊, then (M + γ h D + β h² K) b₊ = h² L u₊ - h D p̃ - h² K q̃
  q += p + (0.5 - beta) * b;
  p += (1.0 - gamma) * b;
  const Eigen::MatrixXd next = effective.solve(load - damping * p - stiffness * q);
  q += beta * next;
  p += gamma * next;

  OneStepMap map;
  map.step = step;
  map.drive = Drive::Ends;
  map.F.resize(2 * n, 2 * n);
  map.F << q.leftCols(2 * n), p.leftCols(2 * n);
  map.G.resize(2 * n, 2 * m);
  if (m > 0) {
    map.G << q.rightCols(2 * m), p.rightCols(2 * m);
  }
  return map;
}

}  // namespace alembert::integrate
