#include "reproductions/discretisation/reference.hpp"

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <vector>

#include "alembert/integrate/variational.hpp"
#include "alembert/model/modes.hpp"

namespace alembert::reproductions::discretisation {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

// Phases without pattern, the same on every machine: multiples of the golden angle.
constexpr double kGoldenAngle = 2.399963229728653;

Eigen::VectorXcd phases(Index count, Index line) {
  return Eigen::VectorXcd::NullaryExpr(count, [line](Index j) {
    return std::polar(1.0, kGoldenAngle * static_cast<double>((j + 1) * (2 * line + 1)));
  });
}

// Coefficients p of the particular solution Σ p_j tʲ under the force Σ f_j tʲ, from the highest:
//   K p_j = f_j - (j+1) D p_{j+1} - (j+1)(j+2) M p_{j+2}
std::vector<Eigen::VectorXd> particular_solution(const model::SecondOrder& system,
                                                 const Eigen::MatrixXd& force) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> stiffness(system.K);
  const Index n = system.degrees_of_freedom();
  std::vector<Eigen::VectorXd> p(6, Eigen::VectorXd::Zero(n));
  for (int j = 3; j >= 0; --j) {
    const std::size_t k = static_cast<std::size_t>(j);
    p[k] = stiffness.solve(force.col(j) - (j + 1.0) * system.D * p[k + 1] -
                           (j + 1.0) * (j + 2.0) * system.M * p[k + 2]);
  }
  return p;
}

}  // namespace

ReferenceMotion steady_motion(const model::SecondOrder& system, double step, Index samples) {
  const double highest = model::undamped_modes(system).angular_frequency.maxCoeff();
  ReferenceMotion motion;
  motion.input = Eigen::MatrixXd::Zero(samples, system.inputs());
  motion.displacement = Eigen::MatrixXd::Zero(samples, system.degrees_of_freedom());
  motion.v0 = Eigen::VectorXd::Zero(system.degrees_of_freedom());
  Index line = 0;
  for (const double fraction : {0.15, 0.35, 0.55, 0.75, 1.0}) {
    const Complex rate(0.0, fraction * highest);
    const Eigen::VectorXcd amplitude = phases(system.inputs(), line++);
    const Eigen::VectorXcd response = integrate::transfer(system, rate) * amplitude;
    motion.v0 += (rate * response).real();
    for (Index k = 0; k < samples; ++k) {
      const Complex turn = std::exp(rate * (step * static_cast<double>(k)));
      motion.input.row(k) += (turn * amplitude).real().transpose();
      motion.displacement.row(k) += (turn * response).real().transpose();
    }
  }
  motion.q0 = motion.displacement.row(0).transpose();
  return motion;
}

ReferenceMotion decaying_motion(const model::SecondOrder& system, double duration, double step,
                                Index samples) {
  const Index m = system.inputs();
  Eigen::MatrixXd coefficients(m, 4);
  for (int j = 0; j < 4; ++j) {
    coefficients.col(j) = phases(m, j).real() / std::pow(duration, j);
  }
  const std::vector<Eigen::VectorXd> p = particular_solution(system, system.L * coefficients);
  const std::vector<model::DampedMode> modes = model::damped_modes(system);
  // Each mode as large as the static deflection, so that neither part hides the other.
  const double size = p[0].cwiseAbs().maxCoeff();

  ReferenceMotion motion;
  motion.input.resize(samples, m);
  motion.displacement.resize(samples, system.degrees_of_freedom());
  for (Index k = 0; k < samples; ++k) {
    const double t = step * static_cast<double>(k);
    const Eigen::Vector4d powers(1.0, t, t * t, t * t * t);
    motion.input.row(k).noalias() = powers.transpose() * coefficients.transpose();
    Eigen::VectorXd q = p[0] + t * (p[1] + t * (p[2] + t * p[3]));
    for (const model::DampedMode& mode : modes) {
      q += size * (std::exp(mode.pole * t) * mode.shape).real();
    }
    motion.displacement.row(k) = q.transpose();
  }
  motion.q0 = motion.displacement.row(0).transpose();
  motion.v0 = p[1];
  for (const model::DampedMode& mode : modes) {
    motion.v0 += size * (mode.pole * mode.shape).real();
  }
  return motion;
}

}  // namespace alembert::reproductions::discretisation
