#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/subspace.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/signal/excitation.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"

/// Systems, records and comparisons for tests of subspace identification.
namespace alembert::test {

using identify::DiscreteModel;
using identify::Experiment;
using identify::Experiments;

/// A stable system of even order with pole radii in (0.75, 0.98) and angles spread over
/// (0.15, 2.4), in a random basis.
inline DiscreteModel random_discrete(Eigen::Index order, Eigen::Index inputs, Eigen::Index outputs,
                                     std::mt19937_64& engine) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Eigen::MatrixXd F = Eigen::MatrixXd::Zero(order, order);
  for (Eigen::Index i = 0; i + 1 < order; i += 2) {
    const double radius = 0.75 + 0.23 * unit(engine);
    const double angle =
        0.15 + 2.25 * (static_cast<double>(i) + unit(engine)) / static_cast<double>(order + 1);
    F.block(i, i, 2, 2) << radius * std::cos(angle), radius * std::sin(angle),
        -radius * std::sin(angle), radius * std::cos(angle);
  }
  if (order % 2 == 1) F(order - 1, order - 1) = 0.5;
  DiscreteModel model;
  const Eigen::MatrixXd T =
      Eigen::MatrixXd::Identity(order, order) + 0.3 * random_matrix(order, order, engine);
  model.F = T * F * dense::inverse(T);
  model.G = random_matrix(order, inputs, engine);
  model.H = random_matrix(outputs, order, engine);
  model.J = random_matrix(outputs, inputs, engine);
  model.step = 0.1;
  return model;
}

/// Outputs for given inputs, start state and innovations e (N x p, with gain Kg, or empty).
inline Eigen::MatrixXd respond(const DiscreteModel& model, const Eigen::MatrixXd& u,
                               Eigen::VectorXd x, const Eigen::MatrixXd& e = {}) {
  Eigen::MatrixXd y(u.rows(), model.H.rows());
  for (Eigen::Index k = 0; k < u.rows(); ++k) {
    y.row(k) = (model.H * x + model.J * u.row(k).transpose()).transpose();
    x = model.F * x + model.G * u.row(k).transpose();
    if (e.size() == 0) continue;
    y.row(k) += e.row(k);
    if (model.gain.size() != 0) x += model.gain * e.row(k).transpose();
  }
  return y;
}

inline Eigen::MatrixXd normal_matrix(Eigen::Index rows, Eigen::Index columns,
                                     RandomStream& random) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

/// A record with white input, random start and white output noise.
inline Experiment white_record(const DiscreteModel& model, Eigen::Index samples, double noise,
                               RandomStream& random) {
  const Eigen::MatrixXd u = normal_matrix(samples, model.G.cols(), random);
  const Eigen::VectorXd start = random.normal_vector(model.F.rows());
  Eigen::MatrixXd y = respond(model, u, start);
  if (noise > 0.0) y += noise * normal_matrix(samples, y.cols(), random);
  return {u, y, model.step};
}

/// Poles in the order of their angle, then radius.
inline Eigen::VectorXcd sorted_poles(const Eigen::MatrixXd& F) {
  Eigen::VectorXcd poles = F.eigenvalues();
  std::sort(poles.begin(), poles.end(), [](const auto& a, const auto& b) {
    return std::arg(a) != std::arg(b) ? std::arg(a) < std::arg(b) : std::abs(a) < std::abs(b);
  });
  return poles;
}

/// Transfer matrices at frequencies up to the Nyquist frequency, side by side.
inline Eigen::MatrixXcd transfer_of(const DiscreteModel& model, int lines = 12) {
  const Eigen::Index m = model.G.cols();
  Eigen::MatrixXcd result(model.H.rows(), m * lines);
  for (int i = 0; i < lines; ++i) {
    const std::complex<double> z =
        std::polar(1.0, std::numbers::pi * (i + 0.5) / static_cast<double>(lines));
    const Eigen::MatrixXcd pencil = z * Eigen::MatrixXcd::Identity(model.F.rows(), model.F.rows()) -
                                    model.F.cast<std::complex<double>>();
    result.middleCols(i * m, m) = model.H.cast<std::complex<double>>() *
                                      dense::solve(pencil, model.G.cast<std::complex<double>>()) +
                                  model.J.cast<std::complex<double>>();
  }
  return result;
}

/// |actual - expected| / |expected| of the transfer functions.
inline double transfer_error(const DiscreteModel& actual, const DiscreteModel& expected) {
  const Eigen::MatrixXcd wanted = transfer_of(expected);
  return (transfer_of(actual) - wanted).norm() / wanted.norm();
}

/// The published study: 8 degrees of freedom, spline input with the given knots (0: on samples),
/// white noise at 20 log10(signal/noise) = snr dB on each displacement.
inline Experiment frame_record(double step, double knot_step, Eigen::Index samples, double snr,
                               std::uint64_t seed) {
  const model::SecondOrder system = test::frame_8dof();
  RandomStream random(seed);
  Experiment record{Eigen::MatrixXd(samples, 8), {}, step};
  for (Eigen::Index j = 0; j < 8; ++j) {
    record.input.col(j) = signal::spline_noise(samples, step, {.knot_step = knot_step}, random);
  }
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(8);
  record.output = integrate::simulate(system, record.input, step, rest, rest).displacement;
  for (Eigen::Index j = 0; j < 8; ++j) {
    const double sigma =
        std::sqrt(record.output.col(j).squaredNorm() / static_cast<double>(samples)) *
        std::pow(10.0, -snr / 20.0);
    record.output.col(j) += sigma * random.normal_vector(samples);
  }
  return record;
}

}  // namespace alembert::test
