#include "alembert/integrate/energy.hpp"

#include "alembert/core/check.hpp"

namespace alembert::integrate {

namespace {

// Row by row x_kᵀ A x_k.
Eigen::VectorXd quadratic_form(const Eigen::MatrixXd& rows, const Eigen::MatrixXd& A) {
  return (rows * A).cwiseProduct(rows).rowwise().sum();
}

// Column k: sum of the first k entries.
Eigen::VectorXd running_sum(const Eigen::VectorXd& increments) {
  Eigen::VectorXd sum(increments.size() + 1);
  sum(0) = 0.0;
  for (Eigen::Index k = 0; k < increments.size(); ++k) {
    sum(k + 1) = sum(k) + increments(k);
  }
  return sum;
}

void check_trajectory(std::string_view function, const model::SecondOrder& system,
                      const Trajectory& trajectory) {
  model::check_matrices(function, system);
  const Eigen::Index n = system.degrees_of_freedom();
  check::shape(function, "trajectory displacement", trajectory.displacement, trajectory.samples(),
               n);
  check::shape(function, "trajectory velocity", trajectory.velocity, trajectory.samples(), n);
}

// Work of the inputs on each step.
Eigen::VectorXd work_of_inputs(const model::SecondOrder& system, const Trajectory& trajectory,
                               const Eigen::Ref<const Eigen::MatrixXd>& input, double step,
                               signal::BetweenSamples hold) {
  const Eigen::Index steps = trajectory.samples() - 1;
  if (system.inputs() == 0) {
    return Eigen::VectorXd::Zero(steps);
  }
  if (hold == signal::BetweenSamples::Held) {
    // (q(k+1) - q(k))ᵀ L u(k)
    const Eigen::MatrixXd force = input.topRows(steps) * system.L.transpose();
    return (trajectory.displacement.bottomRows(steps) - trajectory.displacement.topRows(steps))
        .cwiseProduct(force)
        .rowwise()
        .sum();
  }
  // h v_mᵀ L u_m
  const Eigen::MatrixXd force =
      0.5 * (input.topRows(steps) + input.bottomRows(steps)) * system.L.transpose();
  return 0.5 * step *
         (trajectory.velocity.topRows(steps) + trajectory.velocity.bottomRows(steps))
             .cwiseProduct(force)
             .rowwise()
             .sum();
}

}  // namespace

Eigen::VectorXd mechanical_energy(const model::SecondOrder& system, const Trajectory& trajectory) {
  check_trajectory("mechanical_energy", system, trajectory);
  // E = (vᵀ M v + qᵀ K q)/2
  return 0.5 * (quadratic_form(trajectory.velocity, system.M) +
                quadratic_form(trajectory.displacement, system.K));
}

EnergyBalance energy_balance(const model::SecondOrder& system, const Trajectory& trajectory,
                             const Eigen::Ref<const Eigen::MatrixXd>& input, double step,
                             signal::BetweenSamples hold) {
  check_trajectory("energy_balance", system, trajectory);
  check::positive("energy_balance", "step", step);
  check::shape("energy_balance", "input", input, trajectory.samples(), system.inputs());
  check::at_least("energy_balance", "number of samples", trajectory.samples(), 1);
  const Eigen::Index steps = trajectory.samples() - 1;
  const Eigen::MatrixXd velocity =
      0.5 * (trajectory.velocity.topRows(steps) + trajectory.velocity.bottomRows(steps));
  EnergyBalance balance;
  balance.energy = mechanical_energy(system, trajectory);
  // h v_mᵀ D v_m
  balance.dissipated = running_sum(step * quadratic_form(velocity, system.D));
  balance.supplied = running_sum(work_of_inputs(system, trajectory, input, step, hold));
  balance.residual = balance.energy.array() - balance.energy(0) + balance.dissipated.array() -
                     balance.supplied.array();
  return balance;
}

}  // namespace alembert::integrate
