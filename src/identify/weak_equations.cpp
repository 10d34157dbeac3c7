#include "identify/weak_equations.hpp"

#include <algorithm>
#include <cmath>

#include "identify/entry_index.hpp"
#include "identify/test_function.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Acceleration data put φ'' on the force; two more powers keep its ends as smooth as φ'' of
// displacement data.
int power_of(model::Motion motion) { return motion == model::Motion::Acceleration ? 6 : 4; }

int derivative_of(model::Motion motion) {
  return motion == model::Motion::Displacement ? 0 : motion == model::Motion::Velocity ? 1 : 2;
}

// Weight of the input sample at t in (-1)^d ∫ φ^(d) u: exact for held and linear inputs, the
// trapezoidal sum, spectrally accurate for a smooth kernel of compact support, for splines.
double force_tap(const TestFunction& phi, double t, double step, int d, integrate::Hold hold) {
  const double sign = d == 1 ? -1.0 : 1.0;
  switch (hold) {
    case integrate::Hold::Zero:
      return sign * (phi(t + step, d - 1) - phi(t, d - 1));
    case integrate::Hold::Linear:
      return sign * (phi(t + step, d - 2) - 2.0 * phi(t, d - 2) + phi(t - step, d - 2)) / step;
    case integrate::Hold::Cubic:
      break;
  }
  return sign * step * phi(t, d);
}

// Stack positions of (M, D, K)'s row i, 3n numbers.
std::vector<Index> equation_entries(Index n, Index i) {
  std::vector<Index> entries;
  for (Index b = 0; b < 3; ++b) {
    for (Index j = 0; j < n; ++j) entries.push_back(b * half_size(n) + half_index(n, i, j));
  }
  return entries;
}

// n x n: 1 where coordinate j appears in equation i.
MatrixXd couplings(const Parametrisation& unknowns) {
  const Index n = unknowns.degrees_of_freedom;
  VectorXd used = unknowns.offset.cwiseAbs();
  for (Index column = 0; column < unknowns.basis.outerSize(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(unknowns.basis, column); it; ++it) {
      used(it.row()) += std::abs(it.value());
    }
  }
  MatrixXd coupled = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const std::vector<Index> entries = equation_entries(n, i);
    for (std::size_t a = 0; a < entries.size(); ++a) {
      if (used(entries[a]) > 0.0) coupled(i, static_cast<Index>(a) % n) = 1.0;
    }
  }
  return coupled;
}

// positions x columns: 1 where the window of that column misses a sample.
MatrixXd broken_windows(const WeakKernels& kernels, const MatrixXd& output) {
  const Index positions = kernels.positions(output.rows());
  MatrixXd broken = MatrixXd::Zero(positions, output.cols());
  for (Index c = 0; c < output.cols(); ++c) {
    for (Index p = 0; p < positions; ++p) {
      const bool any = output.col(c).segment(p * kernels.stride, 2 * kernels.half + 1).hasNaN();
      broken(p, c) = any ? 1.0 : 0.0;
    }
  }
  return broken;
}

// Records of a column as overlapping windows, one per column of the view.
Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>> windows(const WeakKernels& kernels,
                                                            const double* data, Index samples) {
  return {data, 2 * kernels.half + 1, kernels.positions(samples),
          Eigen::OuterStride<>(kernels.stride)};
}

// Σ_i w_i E_iᵀ Zᵀ P E_i and Σ_i w_i E_iᵀ Zᵀ f_i, in the entries of the stack.
struct StackSums {
  explicit StackSums(Index size) : H(MatrixXd::Zero(size, size)), h(VectorXd::Zero(size)) {}

  MatrixXd H;
  VectorXd h;
};

void add_equation(const MatrixXd& moments, const VectorXd& right, double weight,
                  const std::vector<Index>& entries, StackSums& sums) {
  for (std::size_t b = 0; b < entries.size(); ++b) {
    for (std::size_t a = 0; a < entries.size(); ++a) {
      sums.H(entries[a], entries[b]) +=
          weight * moments(static_cast<Index>(a), static_cast<Index>(b));
    }
    sums.h(entries[b]) += weight * right(static_cast<Index>(b));
  }
}

StackSums stack_sums(const std::vector<WeakRows>& rows, const std::vector<MatrixXd>& instruments,
                     const VectorXd& weights, Index n) {
  StackSums sums(3 * half_size(n));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const bool complete = rows[e].valid.size() == 0;
    MatrixXd moments = instruments[e].transpose() * rows[e].response;
    const MatrixXd right = instruments[e].transpose() * rows[e].force;
    VectorXd right_i;
    for (Index i = 0; i < n; ++i) {
      right_i = right.col(i);
      if (!complete) {
        const MatrixXd Z = rows[e].valid.col(i).asDiagonal() * instruments[e];
        moments.noalias() = Z.transpose() * rows[e].response;
        right_i.noalias() = Z.transpose() * rows[e].force.col(i);
      }
      add_equation(moments, right_i, weights(i), equation_entries(n, i), sums);
    }
  }
  return sums;
}

// [B c] of the stack c + B θ.
Eigen::SparseMatrix<double> with_offset(const Parametrisation& unknowns) {
  const Index columns = unknowns.basis.cols();
  Eigen::SparseMatrix<double> G(unknowns.offset.size(), columns + 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index column = 0; column < columns; ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(unknowns.basis, column); it; ++it) {
      entries.emplace_back(it.row(), column, it.value());
    }
  }
  for (Index i = 0; i < unknowns.offset.size(); ++i) {
    if (unknowns.offset(i) != 0.0) entries.emplace_back(i, columns, unknowns.offset(i));
  }
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

// Mean of PᵀP per window if the responses are white noise, 3n x 3n.
MatrixXd noise_moments(const WeakKernels& kernels, const Eigen::Ref<const VectorXd>& deviations) {
  const Index n = deviations.size();
  const Eigen::Matrix3d gram = kernels.response.transpose() * kernels.response;
  MatrixXd moments = MatrixXd::Zero(3 * n, 3 * n);
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) {
      moments.block(a * n, b * n, n, n).diagonal() = gram(a, b) * deviations.array().square();
    }
  }
  return moments;
}

}  // namespace

Index WeakKernels::positions(Index samples) const {
  const Index taps = 2 * half + 1;
  return samples < taps ? 0 : (samples - taps) / stride + 1;
}

WeakKernels weak_kernels(double window, double step, model::Motion motion, integrate::Hold hold) {
  WeakKernels kernels;
  kernels.half = std::max<Index>(1, std::llround(0.5 * window / step));
  kernels.stride = std::max<Index>(1, kernels.half / 15);
  const TestFunction phi(2.0 * static_cast<double>(kernels.half) * step, power_of(motion));
  kernels.response.resize(2 * kernels.half + 1, 3);
  kernels.force.resize(2 * kernels.half + 1);
  for (Index k = -kernels.half; k <= kernels.half; ++k) {
    const double t = static_cast<double>(k) * step;
    kernels.response.row(k + kernels.half) << step * phi(t, 2), -step * phi(t, 1), step * phi(t, 0);
    kernels.force(k + kernels.half) = force_tap(phi, t, step, derivative_of(motion), hold);
  }
  return kernels;
}

MatrixXd correlated(const WeakKernels& kernels, const Eigen::Ref<const MatrixXd>& records) {
  const Index n = records.cols();
  MatrixXd result(kernels.positions(records.rows()), 3 * n);
  MatrixXd three(result.rows(), 3);
  for (Index c = 0; c < n && result.rows() > 0; ++c) {
    three.noalias() =
        windows(kernels, records.col(c).data(), records.rows()).transpose() * kernels.response;
    for (Index b = 0; b < 3; ++b) result.col(b * n + c) = three.col(b);
  }
  return result;
}

WeakRows weak_rows(const WeakKernels& kernels, const Experiment& experiment,
                   const Eigen::Ref<const MatrixXd>& L, const Parametrisation& unknowns) {
  WeakRows rows;
  const Index samples = experiment.samples();
  MatrixXd filtered(kernels.positions(samples), experiment.input.cols());
  for (Index c = 0; c < filtered.cols() && filtered.rows() > 0; ++c) {
    filtered.col(c).noalias() =
        windows(kernels, experiment.input.col(c).data(), samples).transpose() * kernels.force;
  }
  rows.force = filtered * L.transpose();
  if (!experiment.output.hasNaN()) {
    rows.response = correlated(kernels, experiment.output);
    return rows;
  }
  const MatrixXd filled = experiment.output.array().isNaN().select(0.0, experiment.output);
  rows.response = correlated(kernels, filled);
  const MatrixXd needed =
      broken_windows(kernels, experiment.output) * couplings(unknowns).transpose();
  rows.valid = (needed.array() > 0.0).select(MatrixXd::Zero(needed.rows(), needed.cols()), 1.0);
  return rows;
}

WeakSystem weak_system(const std::vector<WeakRows>& rows, const std::vector<MatrixXd>& instruments,
                       const Eigen::Ref<const VectorXd>& weights, const Parametrisation& unknowns) {
  const StackSums sums = stack_sums(rows, instruments, weights, unknowns.degrees_of_freedom);
  WeakSystem system;
  system.A = unknowns.basis.transpose() * (sums.H * unknowns.basis);
  system.b = unknowns.basis.transpose() * (sums.h - sums.H * unknowns.offset);
  return system;
}

WeakPencil weak_pencil(const WeakKernels& kernels, const std::vector<WeakRows>& rows,
                       const Eigen::Ref<const VectorXd>& deviations,
                       const Eigen::Ref<const VectorXd>& weights, const Parametrisation& unknowns) {
  const Index n = unknowns.degrees_of_freedom;
  std::vector<MatrixXd> responses;
  VectorXd counts = VectorXd::Zero(n);
  double force = 0.0;
  for (const WeakRows& one : rows) {
    responses.push_back(one.response);
    MatrixXd valid = one.valid;
    if (valid.size() == 0) valid.setOnes(one.response.rows(), n);
    counts += valid.colwise().sum().transpose();
    force += one.force.cwiseProduct(valid).colwise().squaredNorm().dot(weights);
  }
  const StackSums sums = stack_sums(rows, responses, weights, n);
  const MatrixXd per_window = noise_moments(kernels, deviations);
  StackSums noise(unknowns.offset.size());
  for (Index i = 0; i < n; ++i) {
    add_equation(per_window, VectorXd::Zero(3 * n), weights(i) * counts(i), equation_entries(n, i),
                 noise);
  }
  const Eigen::SparseMatrix<double> G = with_offset(unknowns);
  WeakPencil pencil;
  pencil.residual = G.transpose() * (sums.H * G);
  pencil.noise = G.transpose() * (noise.H * G);
  const VectorXd cross = G.transpose() * sums.h;
  const Index last = G.cols() - 1;
  pencil.residual.col(last) -= cross;
  pencil.residual.row(last) -= cross.transpose();
  pencil.residual(last, last) += force;
  return pencil;
}

VectorXd equation_weights(const std::vector<WeakRows>& rows, const Matrices& matrices) {
  const Index n = matrices.M.rows();
  MatrixXd coefficients(3 * n, n);
  coefficients << matrices.M, matrices.D, matrices.K;
  VectorXd squares = VectorXd::Zero(n);
  VectorXd sizes = squares;
  VectorXd counts = squares;
  for (const WeakRows& one : rows) {
    const MatrixXd inertia = one.response.leftCols(n) * matrices.M;
    MatrixXd residual = one.force - one.response * coefficients;
    if (one.valid.size() > 0) residual = residual.cwiseProduct(one.valid).eval();
    squares += residual.colwise().squaredNorm().transpose();
    sizes += (inertia.colwise().squaredNorm() + one.force.colwise().squaredNorm()).transpose();
    counts.array() += static_cast<double>(residual.rows());
    if (one.valid.size() > 0) {
      counts -= (1.0 - one.valid.array()).colwise().sum().matrix().transpose();
    }
  }
  squares = squares.cwiseMax(1e-20 * sizes).cwiseMax(1e-300);
  return counts.cwiseMax(1.0).cwiseQuotient(squares);
}

}  // namespace alembert::identify
