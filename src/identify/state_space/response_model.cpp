#include "identify/state_space/response_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"

namespace alembert::identify::state_space {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

Index Samples::count() const {
  Index sum = 0;
  for (const MatrixXd& one : outputs) sum += one.rows();
  return sum;
}

Index Samples::longest() const {
  Index most = 0;
  for (const MatrixXd& one : outputs) most = std::max(most, one.rows());
  return most;
}

MatrixXd Samples::stacked_outputs() const {
  MatrixXd all(count(), output_count());
  Index row = 0;
  for (const MatrixXd& one : outputs) {
    all.middleRows(row, one.rows()) = one;
    row += one.rows();
  }
  return all;
}

Samples part_of(const Samples& samples, double from, double to) {
  Samples part{.inputs = {}, .outputs = {}, .step = samples.step};
  for (std::size_t e = 0; e < samples.outputs.size(); ++e) {
    const auto rows = static_cast<double>(samples.outputs[e].rows());
    const auto first = static_cast<Index>(std::lround(from * rows));
    const auto count = static_cast<Index>(std::lround(to * rows)) - first;
    part.inputs.emplace_back(samples.inputs[e].middleRows(first, count));
    part.outputs.emplace_back(samples.outputs[e].middleRows(first, count));
  }
  return part;
}

Index Pole::held() const {
  Index place = 0;
  drive.cwiseAbs().maxCoeff(&place);
  return place;
}

Index states_of(const Poles& poles) {
  Index sum = 0;
  for (const Pole& pole : poles) sum += pole.states();
  return sum;
}

VectorXcd filtered(std::complex<double> z, std::complex<double> start,
                   const Eigen::Ref<const VectorXcd>& values) {
  VectorXcd states(values.size());
  // Products written out: those of std::complex check for infinities.
  double re = start.real();
  double im = start.imag();
  const double a = z.real();
  const double b = z.imag();
  for (Index k = 0; k < values.size(); ++k) {
    states(k) = {re, im};
    const double next = a * re - b * im + values(k).real();
    im = b * re + a * im + values(k).imag();
    re = next;
  }
  return states;
}

MatrixXd simulated(const ResponseModel& model, const Samples& samples) {
  const Index states = states_of(model.poles);
  const Index inputs = samples.input_count();
  MatrixXd X(samples.count(), model.coefficients.rows());
  Index row = 0;
  for (std::size_t e = 0; e < samples.inputs.size(); ++e) {
    const MatrixXd& u = samples.inputs[e];
    Index column = 0;
    for (const Pole& pole : model.poles) {
      const VectorXcd driven = u * pole.drive;
      const VectorXcd x = filtered(pole.z, pole.start(static_cast<Index>(e)), driven);
      X.block(row, column, u.rows(), 1) = x.real();
      if (!pole.is_real()) X.block(row, column + 1, u.rows(), 1) = -x.imag();
      column += pole.states();
    }
    if (model.feedthrough) X.block(row, states, u.rows(), inputs) = u;
    row += u.rows();
  }
  return product(X, model.coefficients);
}

DiscreteModel discrete_model(const ResponseModel& model, double step, const VectorXd& input_scale,
                             const VectorXd& output_scale) {
  const Index n = states_of(model.poles);
  const Index m = input_scale.size();
  const Index l = output_scale.size();
  const Index experiments = model.poles.empty() ? 1 : model.poles.front().start.size();
  DiscreteModel matrices{.F = MatrixXd::Zero(n, n),
                         .G = MatrixXd::Zero(n, m),
                         .H = output_scale.asDiagonal() * model.coefficients.topRows(n).transpose(),
                         .J = MatrixXd::Zero(l, m),
                         .gain = {},
                         .noise = {},
                         .start = MatrixXd::Zero(n, experiments),
                         .step = step};
  Index i = 0;
  for (const Pole& pole : model.poles) {
    matrices.F(i, i) = pole.z.real();
    matrices.G.row(i) = pole.drive.real().transpose();
    matrices.start.row(i) = pole.start.real().transpose();
    if (!pole.is_real()) {
      // (Re x, -Im x) turns by the transposed rotation.
      matrices.F(i + 1, i + 1) = pole.z.real();
      matrices.F(i, i + 1) = pole.z.imag();
      matrices.F(i + 1, i) = -pole.z.imag();
      matrices.G.row(i + 1) = -pole.drive.imag().transpose();
      matrices.start.row(i + 1) = -pole.start.imag().transpose();
    }
    i += pole.states();
  }
  const VectorXd per_input = input_scale.cwiseInverse();
  matrices.G = matrices.G * per_input.asDiagonal();
  if (model.feedthrough && m > 0) {
    matrices.J = output_scale.asDiagonal() * model.coefficients.bottomRows(m).transpose() *
                 per_input.asDiagonal();
  }
  return matrices;
}

}  // namespace alembert::identify::state_space
