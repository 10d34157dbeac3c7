#include "reproductions/simulated_modes/modal_bound.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <complex>

#include "reproductions/simulated_modes/modal_states.hpp"

namespace alembert::reproductions::simulated_modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

constexpr double kClearFrequency = 0.003;  // largest bound over f
constexpr double kClearDamping = 0.2;      // largest bound over ζ

// dx/dλ of x(k+1) = z x(k) + ..: d(k+1) = z d(k) + step z x(k), the forcing held.
void filter_again(Complex z, double step, const VectorXcd& x, Eigen::Ref<VectorXcd> d) {
  d(0) = 0.0;
  for (Index k = 1; k < x.size(); ++k) d(k) = z * d(k - 1) + step * z * x(k - 1);
}

Index largest_drive(const KnownStructure& structure, Index r) {
  Index held = 0;
  structure.drives.row(r).cwiseAbs().maxCoeff(&held);
  return held;
}

// States of the modes, then for each mode dx/dλ and dx/d(participation) of those not held.
MatrixXcd states_and_slopes(const KnownStructure& structure, const std::vector<MatrixXcd>& states,
                            double step) {
  const Index modes = structure.poles.size();
  const Index inputs = structure.drives.cols();
  MatrixXcd all = MatrixXcd::Zero(states.front().rows(), modes * (1 + inputs));
  for (Index r = 0; r < modes; ++r) {
    Index column = modes + r * inputs + 1;
    for (Index j = 0; j < inputs; ++j) {
      const VectorXcd own = states[static_cast<std::size_t>(j)].col(r);
      all.col(r) += structure.drives(r, j) * own;
      if (j != largest_drive(structure, r)) all.col(column++) = own;
    }
    filter_again(std::exp(structure.poles(r) * step), step, all.col(r),
                 all.col(modes + r * inputs));
  }
  return all;
}

}  // namespace

std::vector<bool> clear_modes(const KnownStructure& structure,
                              const std::vector<std::vector<MatrixXcd>>& states, double step,
                              double sigma) {
  const Index modes = structure.poles.size();
  const Index inputs = structure.drives.cols();
  MatrixXcd gram = MatrixXcd::Zero(modes * (1 + inputs), modes * (1 + inputs));
  for (const std::vector<MatrixXcd>& one : states) {
    const MatrixXcd all = states_and_slopes(structure, one, step);
    gram += all.adjoint() * all;
  }
  const Index size = modes * inputs;
  const MatrixXcd across = gram.topRightCorner(modes, size);
  const MatrixXcd left = gram.bottomRightCorner(size, size) -
                         across.adjoint() * gram.topLeftCorner(modes, modes).llt().solve(across);
  VectorXcd factor(modes);
  for (Index r = 0; r < modes; ++r) factor(r) = acceleration_factor(structure.poles(r));
  const MatrixXcd coefficients = structure.shapes.cast<Complex>() * factor.asDiagonal();
  const MatrixXcd shared = coefficients.adjoint() * coefficients;
  MatrixXcd information(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index k = 0; k < size; ++k) {
      information(i, k) = 0.5 / (sigma * sigma) * left(i, k) * shared(i / inputs, k / inputs);
    }
  }
  const MatrixXcd bound = information.ldlt().solve(MatrixXcd::Identity(size, size));
  std::vector<bool> clear;
  for (Index r = 0; r < modes; ++r) {
    const double deviation =
        std::sqrt(std::abs(bound(r * inputs, r * inputs))) / std::abs(structure.poles(r));
    clear.push_back(structure.in_band(r) && deviation < kClearFrequency &&
                    deviation < kClearDamping * structure.damping_ratio(r));
  }
  return clear;
}

}  // namespace alembert::reproductions::simulated_modes
