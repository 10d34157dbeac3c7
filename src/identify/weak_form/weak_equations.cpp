#include "identify/weak_form/weak_equations.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"
#include "identify/parametrisation/entry_index.hpp"
#include "identify/weak_form/test_function.hpp"

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
double force_tap(const TestFunction& phi, double t, double step, int d,
                 signal::BetweenSamples hold) {
  const double sign = d == 1 ? -1.0 : 1.0;
  switch (hold) {
    case signal::BetweenSamples::Held:
      return sign * (phi(t + step, d - 1) - phi(t, d - 1));
    case signal::BetweenSamples::Linear:
      return sign * (phi(t + step, d - 2) - 2.0 * phi(t, d - 2) + phi(t - step, d - 2)) / step;
    case signal::BetweenSamples::Cubic:
    case signal::BetweenSamples::BandLimited:
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

// A record of which every stride-th sample stands side by side, so that the sums of neighbouring
// windows read neighbouring numbers.
struct Phases {
  Phases(const double* record, Index samples, Index step)
      : stride(step), length((samples + step - 1) / step) {
    values.assign(static_cast<std::size_t>(stride * length), 0.0);
    for (Index phase = 0; phase < stride; ++phase) {
      double* to = values.data() + phase * length;
      for (Index k = phase; k < samples; k += stride) *to++ = record[k];
    }
  }
  Index stride, length;
  std::vector<double> values;
};

// Σ_t kernel(t) record(p stride + t) for windows p, p + 1, ... side by side: their sums stay in
// registers.
template <Index lanes>
void correlate_at(const Eigen::Ref<const VectorXd>& kernel, const Phases& record, Index p,
                  double* result) {
  double sums[lanes] = {};
  for (Index phase = 0; phase < record.stride; ++phase) {
    const double* x = record.values.data() + phase * record.length + p;
    for (Index t = phase; t < kernel.size(); t += record.stride, ++x) {
      const double factor = kernel(t);
      for (Index lane = 0; lane < lanes; ++lane) sums[lane] += factor * x[lane];
    }
  }
  for (Index lane = 0; lane < lanes; ++lane) result[p + lane] = sums[lane];
}

void correlate(const Eigen::Ref<const VectorXd>& kernel, const Phases& record,
               Eigen::Ref<VectorXd> result) {
  constexpr Index kLanes = 8;
  Index p = 0;
  for (; p + kLanes <= result.size(); p += kLanes) {
    correlate_at<kLanes>(kernel, record, p, result.data());
  }
  for (; p < result.size(); ++p) correlate_at<1>(kernel, record, p, result.data());
}

MatrixXd transposed_product(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd result = MatrixXd::Zero(A.cols(), B.cols());
  add_transposed_product(A, B, result);
  return result;
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

// The columns of [B c] with an entry in each row of the stack.
struct Term {
  Index column;
  double factor;
};
std::vector<std::vector<Term>> terms_of_rows(const Parametrisation& unknowns) {
  const Eigen::SparseMatrix<double> G = with_offset(unknowns);
  std::vector<std::vector<Term>> terms(static_cast<std::size_t>(G.rows()));
  for (Index column = 0; column < G.cols(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(G, column); it; ++it) {
      terms[static_cast<std::size_t>(it.row())].push_back({column, it.value()});
    }
  }
  return terms;
}

// Gᵀ (Σ_i w_i E_iᵀ Zᵀ P E_i) G and Gᵀ Σ_i w_i E_iᵀ Zᵀ f_i with G = [B c]: nothing of the size of
// the stack is stored.
class UnknownSums {
 public:
  explicit UnknownSums(const Parametrisation& unknowns)
      : H(MatrixXd::Zero(unknowns.basis.cols() + 1, unknowns.basis.cols() + 1)),
        h(VectorXd::Zero(unknowns.basis.cols() + 1)),
        n_(unknowns.degrees_of_freedom),
        terms_(terms_of_rows(unknowns)) {}

  void add_equation(Index i, const MatrixXd& moments, const VectorXd& right, double weight) {
    const std::vector<Index> entries = equation_entries(n_, i);
    const Index size = static_cast<Index>(entries.size());
    for (Index b = 0; b < size; ++b) {
      for (const Term& from : terms_of(entries, b)) {
        h(from.column) += weight * from.factor * right(b);
        const double factor = weight * from.factor;
        for (Index a = 0; a < size; ++a) {
          for (const Term& to : terms_of(entries, a)) {
            H(to.column, from.column) += factor * to.factor * moments(a, b);
          }
        }
      }
    }
  }

  MatrixXd H;
  VectorXd h;

 private:
  [[nodiscard]] const std::vector<Term>& terms_of(const std::vector<Index>& entries,
                                                  Index place) const {
    return terms_[static_cast<std::size_t>(entries[static_cast<std::size_t>(place)])];
  }

  Index n_;
  std::vector<std::vector<Term>> terms_;
};

UnknownSums unknown_sums(const std::vector<WeakRows>& rows,
                         const std::vector<MatrixXd>& instruments, const VectorXd& weights,
                         const Parametrisation& unknowns) {
  UnknownSums sums(unknowns);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const bool complete = rows[e].valid.size() == 0;
    MatrixXd moments = transposed_product(instruments[e], rows[e].response);
    const MatrixXd right = transposed_product(instruments[e], rows[e].force);
    VectorXd right_i;
    for (Index i = 0; i < unknowns.degrees_of_freedom; ++i) {
      right_i = right.col(i);
      if (!complete) {
        const MatrixXd Z = rows[e].valid.col(i).asDiagonal() * instruments[e];
        moments = transposed_product(Z, rows[e].response);
        right_i.noalias() = Z.transpose() * rows[e].force.col(i);
      }
      sums.add_equation(i, moments, right_i, weights(i));
    }
  }
  return sums;
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

WeakKernels weak_kernels(double window, double step, model::Motion motion,
                         signal::BetweenSamples hold) {
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
  for (Index c = 0; c < n && result.rows() > 0; ++c) {
    const Phases record(records.col(c).data(), records.rows(), kernels.stride);
    for (Index b = 0; b < 3; ++b) {
      correlate(kernels.response.col(b), record, result.col(b * n + c));
    }
  }
  return result;
}

WeakRows weak_rows(const WeakKernels& kernels, const Experiment& experiment,
                   const Eigen::Ref<const MatrixXd>& L, const Parametrisation& unknowns) {
  WeakRows rows;
  const Index samples = experiment.samples();
  MatrixXd filtered(kernels.positions(samples), experiment.input.cols());
  for (Index c = 0; c < filtered.cols() && filtered.rows() > 0; ++c) {
    const Phases record(experiment.input.col(c).data(), samples, kernels.stride);
    correlate(kernels.force, record, filtered.col(c));
  }
  rows.force = product(filtered, L.transpose());
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
  const UnknownSums sums = unknown_sums(rows, instruments, weights, unknowns);
  const Index size = unknowns.basis.cols();
  return {sums.H.topLeftCorner(size, size), sums.h.head(size) - sums.H.col(size).head(size)};
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
  const UnknownSums sums = unknown_sums(rows, responses, weights, unknowns);
  const MatrixXd per_window = noise_moments(kernels, deviations);
  UnknownSums noise(unknowns);
  for (Index i = 0; i < n; ++i) {
    noise.add_equation(i, per_window, VectorXd::Zero(3 * n), weights(i) * counts(i));
  }
  WeakPencil pencil{sums.H, noise.H};
  const Index last = unknowns.basis.cols();
  pencil.residual.col(last) -= sums.h;
  pencil.residual.row(last) -= sums.h.transpose();
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
    const MatrixXd inertia = product(one.response.leftCols(n), matrices.M);
    MatrixXd residual = one.force - product(one.response, coefficients);
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
