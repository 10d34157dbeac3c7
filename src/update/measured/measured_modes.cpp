#include "alembert/update/measured_modes.hpp"

#include <cmath>
#include <complex>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::update {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool MeasuredModes::has_shape(Index mode) const {
  return shapes.cols() > mode && shapes.col(mode).array().isFinite().count() >= 2;
}

void check_measured(const MeasuredModes& measured, Index rows) {
  constexpr const char* kName = "check_measured";
  check::at_least(kName, "number of measured modes", measured.count(), 1);
  for (Index i = 0; i < measured.count(); ++i) {
    check::positive(kName, "frequency_hz", measured.frequency_hz(i));
  }
  if (measured.deviation_hz.size() > 0) {
    check::size(kName, "size of deviation_hz", measured.deviation_hz.size(), measured.count());
    for (Index i = 0; i < measured.count(); ++i) {
      check::non_negative(kName, "deviation_hz", measured.deviation_hz(i));
    }
  }
  if (measured.shapes.size() == 0) return;
  check::size(kName, "columns of shapes", measured.shapes.cols(), measured.count());
  check::size(kName, "rows of sensors", measured.sensors.rows(), measured.shapes.rows());
  check::size(kName, "columns of sensors", measured.sensors.cols(), rows);
  for (Index i = 0; i < measured.count(); ++i) {
    const VectorXd column = measured.shapes.col(i);
    if (measured.has_shape(i) &&
        !(column.array().isFinite().select(column.array(), 0.0).abs().maxCoeff() > 0.0)) {
      throw InvalidInput({.function = kName,
                          .argument = "shape of mode " + std::to_string(i + 1),
                          .rule = "must not be zero at all sensors"});
    }
  }
}

RealShape real_shape(const Eigen::Ref<const Eigen::VectorXcd>& shape) {
  // Re(e^{-iθ} z) is largest where 2θ is the angle of Σ z².
  const std::complex<double> sum = shape.array().square().sum();
  const double angle = 0.5 * std::arg(sum);
  const Eigen::VectorXcd turned = shape * std::polar(1.0, -angle);
  RealShape found{.shape = turned.real()};
  const double norm = turned.norm();
  if (!(norm > 0.0)) return found;
  found.imaginary = turned.imag().norm() / norm;
  Index largest = 0;
  found.shape.cwiseAbs().maxCoeff(&largest);
  found.shape /= found.shape(largest);
  return found;
}

MatrixXd static_expansion(const Eigen::Ref<const MatrixXd>& K, const Eigen::Ref<const MatrixXd>& M,
                          const Eigen::Ref<const MatrixXd>& C, double shift) {
  constexpr const char* kName = "static_expansion";
  check::shape(kName, "K", K, K.rows(), K.rows());
  check::shape(kName, "M", M, K.rows(), K.rows());
  check::size(kName, "columns of C", C.cols(), K.rows());
  check::non_negative(kName, "shift", shift);
  const Eigen::LLT<MatrixXd> factor(MatrixXd(K + shift * M));
  if (factor.info() != Eigen::Success) {
    throw InvalidInput(
        {.function = kName, .argument = "K + shift M", .rule = "must be positive definite"});
  }
  const MatrixXd compliance = factor.solve(MatrixXd(C.transpose()));
  const Eigen::LDLT<MatrixXd> inner(MatrixXd(C * compliance));
  const VectorXd pivots = inner.vectorD();
  if (!(pivots.minCoeff() > 1e-13 * pivots.maxCoeff())) {
    throw InvalidInput({.function = kName,
                        .argument = "C",
                        .rule = "must have sensors that measure different things"});
  }
  return compliance * inner.solve(MatrixXd::Identity(C.rows(), C.rows()));
}

}  // namespace alembert::update
