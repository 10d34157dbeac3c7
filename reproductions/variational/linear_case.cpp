#include "reproductions/variational/linear_case.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/signal/excitation.hpp"

namespace alembert::reproductions::variational {

namespace {

Eigen::VectorXd binary_force(Eigen::Index samples, double step, double spacing,
                             RandomStream& random) {
  const auto clock =
      std::max<Eigen::Index>(1, static_cast<Eigen::Index>(std::llround(spacing / step)));
  Eigen::VectorXd force(samples);
  double level = 0.0;
  for (Eigen::Index k = 0; k < samples; ++k) {
    if (k % clock == 0) {
      level = random.below(2) == 0 ? -1.0 : 1.0;
    }
    force[k] = level;
  }
  return force;
}

Eigen::MatrixXd forces(const LinearCase& linear, Eigen::Index samples, double step,
                       const RandomStream& random) {
  Eigen::MatrixXd u(samples, linear.system.inputs());
  for (Eigen::Index c = 0; c < u.cols(); ++c) {
    RandomStream stream = random.child(static_cast<std::uint64_t>(c));
    u.col(c) = linear.force == ForceKind::Binary
                   ? binary_force(samples, step, linear.spacing, stream)
                   : signal::spline_noise(samples, step, {.knot_step = linear.spacing}, stream);
  }
  return u;
}

Eigen::MatrixXd every(const Eigen::MatrixXd& rows, Eigen::Index ratio, Eigen::Index count) {
  Eigen::MatrixXd kept(count, rows.cols());
  for (Eigen::Index k = 0; k < count; ++k) {
    kept.row(k) = rows.row(k * ratio);
  }
  return kept;
}

// σ² = mean(y²) 10^(-SNR/10), one stream for each output.
Eigen::VectorXd add_noise(double snr_db, const RandomStream& random, Eigen::MatrixXd& y) {
  Eigen::VectorXd sigma = Eigen::VectorXd::Zero(y.cols());
  if (!std::isfinite(snr_db)) {
    return sigma;
  }
  for (Eigen::Index i = 0; i < y.cols(); ++i) {
    RandomStream stream = random.child(1000 + static_cast<std::uint64_t>(i));
    sigma[i] = std::sqrt(y.col(i).squaredNorm() / static_cast<double>(y.rows())) *
               std::pow(10.0, -snr_db / 20.0);
    y.col(i) += sigma[i] * stream.normal_vector(y.rows());
  }
  return sigma;
}

}  // namespace

SimulatedCase simulate_case(const LinearCase& linear, const RandomStream& random) {
  const double base = linear.base_step > 0.0 ? linear.base_step : linear.step;
  const auto ratio = static_cast<Eigen::Index>(std::llround(linear.step / base));
  const Eigen::Index samples = (linear.samples - 1) * ratio + 1;
  const Eigen::MatrixXd u = forces(linear, samples, base, random);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(linear.system.degrees_of_freedom());
  const integrate::LinearSimulationOptions exact{.hold = linear.force == ForceKind::Binary
                                                             ? signal::BetweenSamples::Held
                                                             : signal::BetweenSamples::Cubic};
  const integrate::Trajectory motion =
      integrate::simulate(linear.system, u, base, rest, rest, exact);
  SimulatedCase result;
  identify::Experiment experiment;
  experiment.step = linear.step;
  experiment.input = every(u, ratio, linear.samples);
  experiment.output = every(integrate::apply(linear.outputs, motion), ratio, linear.samples);
  result.noise = add_noise(linear.snr_db, random, experiment.output);
  result.data.push_back(std::move(experiment));
  return result;
}

model::OutputMap all_displacements(const model::SecondOrder& system) {
  const Eigen::Index n = system.degrees_of_freedom();
  std::vector<model::OutputChoice> choices;
  for (Eigen::Index i = 0; i < n; ++i) {
    choices.push_back({model::Motion::Displacement, i});
  }
  return model::output_map(n, choices);
}

identify::LinearProblem free_problem(const LinearCase& linear) {
  return {linear.system.L, linear.outputs,
          identify::free_matrices(linear.system.degrees_of_freedom())};
}

Eigen::Vector3d relative_errors(const identify::Matrices& estimate,
                                const identify::Matrices& truth) {
  return {(estimate.M - truth.M).norm() / truth.M.norm(),
          (estimate.D - truth.D).norm() / truth.D.norm(),
          (estimate.K - truth.K).norm() / truth.K.norm()};
}

Eigen::Vector3d relative_deviations(const Eigen::MatrixXd& matrix_covariance,
                                    const identify::Matrices& truth) {
  // E |X̂ - X|² is the sum of the variances of all n² entries: those off the diagonal twice.
  const identify::Matrices variance = identify::unstacked(matrix_covariance.diagonal());
  return {std::sqrt(variance.M.sum()) / truth.M.norm(),
          std::sqrt(variance.D.sum()) / truth.D.norm(),
          std::sqrt(variance.K.sum()) / truth.K.norm()};
}

double noise_ratio(const Eigen::VectorXd& residual, const Eigen::VectorXd& noise) {
  return (residual.array() / noise.array()).square().mean();
}

}  // namespace alembert::reproductions::variational
