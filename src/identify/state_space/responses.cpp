#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/state_space/state_space.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXcd frequency_response(const DiscreteModel& model, const VectorXd& frequencies_hz) {
  const Index n = model.F.rows();
  const Index l = model.J.rows();
  const Index m = model.J.cols();
  MatrixXcd lines(frequencies_hz.size(), l * m);
  for (Index k = 0; k < frequencies_hz.size(); ++k) {
    const double angle = 2.0 * std::numbers::pi * frequencies_hz(k) * model.step;
    // G = H (w I - F)⁻¹ G + J
    MatrixXcd pencil = -model.F.cast<Complex>();
    pencil.diagonal().array() += std::polar(1.0, angle);
    const MatrixXcd states =
        n == 0 ? MatrixXcd(0, m) : dense::solve(pencil, MatrixXcd(model.G.cast<Complex>()));
    const MatrixXcd response = model.H * states + model.J.cast<Complex>();
    lines.row(k) = Eigen::Map<const Eigen::RowVectorXcd>(response.data(), l * m);
  }
  return lines;
}

MatrixXd step_response(const DiscreteModel& model, Index count, Index stride) {
  check::at_least("step_response", "stride", stride, 1);
  const Index l = model.J.rows();
  const Index m = model.J.cols();
  MatrixXd rows(count, l * m);
  MatrixXd x = MatrixXd::Zero(model.F.rows(), m);
  for (Index k = 0; k < count; ++k) {
    const MatrixXd y = model.H * x + model.J;
    rows.row(k) = Eigen::Map<const Eigen::RowVectorXd>(y.data(), l * m);
    for (Index i = 0; i < stride && k + 1 < count; ++i) x = model.F * x + model.G;
  }
  return rows;
}

MatrixXd predict_ahead(const DiscreteModel& model, const Experiment& experiment,
                       const VectorXd& start, Index steps) {
  check::at_least("predict_ahead", "steps", steps, 1);
  const MatrixXd& u = experiment.input;
  const MatrixXd& y = experiment.output;
  const Index N = y.rows();
  if (model.gain.cols() != y.cols() || start.size() != model.F.rows() ||
      u.cols() != model.G.cols()) {
    throw InvalidInput({.function = "predict_ahead",
                        .argument = "model",
                        .rule = "must have a gain and fit the records and the start"});
  }
  // x(k+1|k) = F x(k|k-1) + G u(k) + Kg (y(k) - H x(k|k-1) - J u(k)), columns x(k|k-1).
  MatrixXd X(start.size(), N);
  VectorXd x = start;
  for (Index k = 0; k < N; ++k) {
    X.col(k) = x;
    const VectorXd e = y.row(k).transpose() - model.H * x - model.J * u.row(k).transpose();
    x = model.F * x + model.G * u.row(k).transpose() + model.gain * e;
  }
  // x(k|k-i-1) = F x(k-1|k-i-1) + G u(k-1); before the first output the start state is simulated.
  for (Index i = 1; i < steps && i < N; ++i) {
    const MatrixXd before = X.leftCols(N - 1);
    const MatrixXd forces = u.topRows(N - 1).transpose();
    X.rightCols(N - 1) = dense::times(model.F, before) + dense::times(model.G, forces);
  }
  return X.transpose() * model.H.transpose() + u * model.J.transpose();
}

}  // namespace alembert::identify
