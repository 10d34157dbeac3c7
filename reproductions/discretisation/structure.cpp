#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/integrate/energy.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/integrate/variational.hpp"
#include "reproductions/discretisation/parts.hpp"

namespace alembert::reproductions::discretisation {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using integrate::VariationalMatrices;

// Angles strictly between 0 and π: z = 1 and z = -1 are the static limit and the common zero.
Complex circle_point(double radius, Index i, Index count) {
  return std::polar(radius,
                    std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
}

double relative(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected) {
  return (actual - expected).norm() / expected.norm();
}

Eigen::Vector3d relative(const model::SecondOrder& actual, const model::SecondOrder& expected) {
  return {relative(actual.M, expected.M), relative(actual.D, expected.D),
          relative(actual.K, expected.K)};
}

double tustin_error(const model::SecondOrder& system, const VariationalMatrices& matrices,
                    double radius, Index points) {
  double worst = 0.0;
  for (Index i = 0; i < points; ++i) {
    const Complex z = circle_point(radius, i, points);
    const Eigen::MatrixXcd expected =
        integrate::transfer(system, integrate::tustin(z, matrices.step));
    const Eigen::MatrixXcd actual = integrate::discrete_transfer(matrices, system.L, z);
    worst = std::max(worst, (actual - expected).norm() / expected.norm());
  }
  return worst;
}

// Driving-point mobility Lᵀ v under u, from the map that is stepped and not from the formula of
// the transfer function: V(z) = Lᵀ (0 I/h) (z I - F)⁻¹ (G_0 + z G_1), G = (G_0 G_1).
Eigen::MatrixXcd mobility(const model::SecondOrder& system, const integrate::OneStepMap& map,
                          Complex z) {
  const Index n = system.degrees_of_freedom();
  const Index m = system.inputs();
  Eigen::MatrixXcd pencil = -map.F.cast<Complex>();
  pencil.diagonal().array() += z;
  const Eigen::MatrixXcd drive =
      map.G.leftCols(m).cast<Complex>() + z * map.G.rightCols(m).cast<Complex>();
  const Eigen::MatrixXcd state = pencil.partialPivLu().solve(drive);
  return system.L.transpose().cast<Complex>() * state.bottomRows(n) / map.step;
}

double smallest_real_part(const model::SecondOrder& system, const integrate::OneStepMap& map,
                          Index points) {
  double smallest = 0.0, largest = 0.0;
  for (Index i = 0; i < points; ++i) {
    const Eigen::MatrixXcd V = mobility(system, map, circle_point(1.0, i, points));
    const Eigen::MatrixXcd real_part = 0.5 * (V + V.adjoint());
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(real_part, Eigen::EigenvaluesOnly)
            .eigenvalues();
    smallest = i == 0 ? values(0) : std::min(smallest, values(0));
    largest = std::max(largest, V.norm());
  }
  return smallest / largest;
}

// Residual of the energy balance under a force that changes at every sample; none after a stop
// request.
std::optional<double> balance_error(const TestSystem& test, double step, const StopFlag* stop) {
  const Index samples = 1000;
  const Index n = test.system.degrees_of_freedom();
  const ReferenceMotion motion = steady_motion(test.system, 1.0, samples);
  const integrate::Trajectory result = integrate::simulate(
      test.system, motion.input, step, Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n),
      {.method = integrate::Method::Variational, .stop = stop});
  if (!result.ok()) {
    return std::nullopt;
  }
  const integrate::EnergyBalance balance =
      integrate::energy_balance(test.system, result, motion.input, step);
  const double flow = balance.energy.maxCoeff() + balance.dissipated.maxCoeff() +
                      balance.supplied.cwiseAbs().maxCoeff();
  return balance.residual.cwiseAbs().maxCoeff() / flow;
}

}  // namespace

RoundTrip measure_round_trip(const TestSystem& test, double step) {
  const model::SecondOrder& system = test.system;
  RoundTrip row{.system = test.name, .step = step};
  VariationalMatrices matrices = integrate::variational_matrices(system, step);
  row.relative = relative(integrate::continuous_system(matrices, system.L), system);
  for (Eigen::MatrixXd* low : {&matrices.Md_low, &matrices.Dd_low, &matrices.Kd_low}) {
    low->resize(0, 0);
  }
  const model::SecondOrder plain = integrate::continuous_system(matrices, system.L);
  row.plain = relative(plain, system);
  const double largest = std::max({(plain.M - system.M).cwiseAbs().maxCoeff() / step,
                                   (plain.D - system.D).cwiseAbs().maxCoeff() / 2.0,
                                   (plain.K - system.K).cwiseAbs().maxCoeff() * step / 4.0});
  row.plain_scaled = largest / matrices.Md.cwiseAbs().maxCoeff();
  return row;
}

TustinEquality measure_tustin(const TestSystem& test, double step, Index circle_points) {
  const VariationalMatrices matrices = integrate::variational_matrices(test.system, step);
  TustinEquality row{.system = test.name, .step = step};
  row.on_circle = tustin_error(test.system, matrices, 1.0, circle_points);
  for (const double radius : {1.01, 1.1, 2.0, 10.0}) {
    row.outside = std::max(row.outside, tustin_error(test.system, matrices, radius, circle_points));
  }
  return row;
}

std::optional<PassivityRow> measure_passivity(const TestSystem& test, double step,
                                              Index circle_points, const StopFlag* stop) {
  const integrate::OneStepMap map = integrate::midpoint_map(test.system, step);
  const std::optional<double> balance = balance_error(test, step, stop);
  if (!balance) {
    return std::nullopt;
  }
  return PassivityRow{.system = test.name,
                      .step = step,
                      .spectral_radius = integrate::spectral_radius(map),
                      .balance = *balance,
                      .mobility = smallest_real_part(test.system, map, circle_points)};
}

}  // namespace alembert::reproductions::discretisation
