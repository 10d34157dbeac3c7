#include "identify/state_space/start_poles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/general_eigen.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::identify::state_space {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kInstruments = 6;      // principal components of the outputs
constexpr double kRidge = 1e-9;        // of the size of the instruments, for records without noise
constexpr double kBelowBand = 0.8;     // of its lower end: poles below are drift
constexpr double kAboveBand = 1.25;    // of its upper end
constexpr double kDriftDamping = 0.3;  // poles above are drift
constexpr double kStableFrequency = 0.01;  // of the next lower order
constexpr double kStableDamping = 0.05;
constexpr double kRealAngle = 1e-12;  // |Im z| below is rounding

// The first principal components of the outputs, as columns of weights.
MatrixXd principal_directions(const Samples& samples) {
  const Index l = samples.output_count();
  if (l <= kInstruments) return MatrixXd::Identity(l, l);
  MatrixXd gram = MatrixXd::Zero(l, l);
  for (const MatrixXd& y : samples.outputs) add_gram(y, gram);
  return eigen_parts(gram).vectors.rightCols(kInstruments);
}

// Rows of Hankel columns: block i of `values` begins at sample first + i.
void put_hankel(const MatrixXd& values, Index first, Index horizon, Index row, Index column,
                Index rows, MatrixXd& all) {
  for (Index i = 0; i < horizon; ++i) {
    all.block(row, column + i * values.cols(), rows, values.cols()) =
        values.middleRows(first + i, rows);
  }
}

// Adds Σ_k left(k + first + i) right(k + second + j)ᵀ over k < rows to block (i, j). Along a
// diagonal of blocks only the ends of the sum differ:
//   T(i+1, j+1) = T(i, j) - left(first+i) right(second+j)ᵀ + the same `rows` samples later,
// so that products of whole records are needed for the first row and column of blocks alone.
void add_hankel_products(const MatrixXd& left, Index first, const MatrixXd& right, Index second,
                         Index horizon, Index rows, Eigen::Ref<MatrixXd> cross) {
  const Index p = left.cols();
  const Index l = right.cols();
  for (Index diagonal = 1 - horizon; diagonal < horizon; ++diagonal) {
    const Index i = std::max<Index>(0, -diagonal);
    const Index j = std::max<Index>(0, diagonal);
    MatrixXd block = MatrixXd::Zero(p, l);
    add_transposed_product(left.middleRows(first + i, rows), right.middleRows(second + j, rows),
                           block);
    for (Index k = 0; std::max(i, j) + k < horizon; ++k) {
      const Index a = first + i + k;
      const Index b = second + j + k;
      cross.block((i + k) * p, (j + k) * l, p, l) += block;
      if (std::max(i, j) + k + 1 == horizon) break;
      block += left.row(a + rows).transpose() * right.row(b + rows) -
               left.row(a).transpose() * right.row(b);
    }
  }
}

}  // namespace

Index start_columns(const Samples& samples, Index horizon) {
  Index sum = 0;
  for (const MatrixXd& y : samples.outputs) sum += std::max<Index>(0, y.rows() - 2 * horizon + 1);
  return sum;
}

Index instrument_rows(const Samples& samples, Index horizon) {
  return horizon *
         (2 * samples.input_count() + std::min<Index>(samples.output_count(), kInstruments));
}

StartPoles start_poles(const Samples& samples, Index horizon, Index largest_order) {
  const Index m = samples.input_count();
  const Index l = samples.output_count();
  const MatrixXd directions = principal_directions(samples);
  const Index r = directions.cols();
  const Index known = horizon * (2 * m + r);
  const Index count = start_columns(samples, horizon);
  MatrixXd instruments = MatrixXd::Zero(count + known, known);
  MatrixXd cross = MatrixXd::Zero(known, horizon * l);
  Index row = 0;
  for (std::size_t e = 0; e < samples.outputs.size(); ++e) {
    const MatrixXd& u = samples.inputs[e];
    const MatrixXd& y = samples.outputs[e];
    const Index rows = y.rows() - 2 * horizon + 1;
    if (rows <= 0) continue;
    const MatrixXd z = y * directions;
    put_hankel(u, horizon, horizon, row, 0, rows, instruments);
    put_hankel(u, 0, horizon, row, horizon * m, rows, instruments);
    put_hankel(z, 0, horizon, row, 2 * horizon * m, rows, instruments);
    add_hankel_products(u, horizon, y, horizon, horizon, rows, cross.topRows(horizon * m));
    add_hankel_products(u, 0, y, horizon, horizon, rows,
                        cross.middleRows(horizon * m, horizon * m));
    add_hankel_products(z, 0, y, horizon, horizon, rows, cross.bottomRows(horizon * r));
    row += rows;
  }
  const double ridge = kRidge * instruments.norm() / std::sqrt(static_cast<double>(known));
  instruments.bottomRows(known).diagonal().setConstant(ridge);
  const MatrixXd R = triangular_factor(instruments);
  // [Q1 Q2]ᵀ Y_f, Q1 of the future inputs.
  solve_lower(R.transpose(), cross);
  const SingularParts parts = singular_parts(cross.bottomRows(known - horizon * m));
  StartPoles start;
  start.singular_values = parts.values;
  start.horizon = horizon;
  const Index order = std::min({largest_order, parts.values.size(), (horizon - 1) * l});
  const MatrixXd gamma = parts.right_transposed.topRows(order).transpose();
  MatrixXd upper = gamma.topRows((horizon - 1) * l);
  const MatrixXd lower = gamma.bottomRows((horizon - 1) * l);
  MatrixXd side = MatrixXd::Zero(order, order);
  add_transposed_product(upper, lower, side);
  start.triangle = triangular_factor(upper);
  solve_lower(start.triangle.transpose(), side);
  start.shifted = side;
  return start;
}

std::vector<Complex> StartPoles::poles(Index order) const {
  const MatrixXd A = triangle.topLeftCorner(order, order)
                         .triangularView<Eigen::Upper>()
                         .solve(shifted.topLeftCorner(order, order));
  std::vector<Complex> half;
  if (!A.allFinite()) return half;
  for (const Complex& z : general_eigenvalues(A)) {
    if (std::abs(z.imag()) < kRealAngle) half.emplace_back(z.real(), 0.0);
    if (z.imag() >= kRealAngle) half.push_back(z);
  }
  return half;
}

std::vector<StabilityPoint> start_diagram(const StartPoles& start, double step) {
  std::vector<StabilityPoint> all, lower;
  for (Index order = 2; order <= start.largest_order(); order += 2) {
    std::vector<StabilityPoint> own;
    for (const Complex& z : start.poles(order)) {
      if (z.imag() == 0.0) continue;
      StabilityPoint point{.order = static_cast<int>(order),
                           .frequency_hz = frequency_of(z, step),
                           .damping_ratio = damping_of(z)};
      point.stable = std::any_of(lower.begin(), lower.end(), [&](const StabilityPoint& one) {
        return std::abs(one.frequency_hz - point.frequency_hz) <=
                   kStableFrequency * point.frequency_hz &&
               std::abs(one.damping_ratio - point.damping_ratio) <=
                   kStableDamping * std::abs(point.damping_ratio);
      });
      own.push_back(point);
    }
    std::sort(own.begin(), own.end(), [](const StabilityPoint& a, const StabilityPoint& b) {
      return a.frequency_hz < b.frequency_hz;
    });
    all.insert(all.end(), own.begin(), own.end());
    lower = std::move(own);
  }
  return all;
}

double frequency_of(Complex z, double step) {
  return std::abs(std::log(z)) / (2.0 * std::numbers::pi * step);
}

double damping_of(Complex z) {
  const Complex lambda = std::log(z);
  return -lambda.real() / std::abs(lambda);
}

KeptPoles kept_poles(const std::vector<Complex>& all, const PoleRules& rules) {
  KeptPoles kept;
  for (Complex z : all) {
    if (!(std::abs(z) > 0.0)) continue;
    const Index states = z.imag() == 0.0 ? 1 : 2;
    if (std::abs(z) > 1.0 && rules.reflect) {
      z = 1.0 / std::conj(z);
      if (z.imag() < 0.0) z = std::conj(z);
      ++kept.reflected;
    }
    const double radius = std::abs(z);
    if (radius > rules.largest_radius) z *= rules.largest_radius * (1.0 - 1e-12) / radius;
    const double f = frequency_of(z, rules.step);
    const bool drift = rules.from_hz && (z.imag() == 0.0 || f < kBelowBand * *rules.from_hz ||
                                         damping_of(z) > kDriftDamping);
    if (drift || (rules.to_hz && f > kAboveBand * *rules.to_hz)) {
      kept.dropped += states;
      continue;
    }
    kept.poles.push_back(z);
  }
  return kept;
}

}  // namespace alembert::identify::state_space
