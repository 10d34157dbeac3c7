#include "reduce/bases/rational_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "reduce/factor/shifted.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

constexpr Eigen::Index kGrid = 9;  // frequencies of a band at which the error is estimated

double squared(double frequency_hz) { return std::pow(2.0 * std::numbers::pi * frequency_hz, 2); }

/// A frequency of a band that may be taken.
struct GridPoint {
  double frequency_hz;
  const ResponseBand* band;
  std::size_t band_number = 0;
  bool taken = false;
};

std::vector<GridPoint> grid_of(const std::vector<ResponseBand>& bands, double width) {
  std::vector<GridPoint> grid;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const ResponseBand& band = bands[b];
    for (Eigen::Index i = 0; i < kGrid; ++i) {
      const double offset = width * (2.0 * static_cast<double>(i) / (kGrid - 1) - 1.0);
      if (i == kGrid / 2 || width > 0.0) {
        grid.push_back({band.frequency_hz * (1.0 + offset), &band, b});
      }
    }
  }
  return grid;
}

// Real and imaginary part of the force on all rows, without columns of zeros.
Eigen::MatrixXd force_columns(const Substructure& split, const Eigen::VectorXcd& force) {
  Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(split.size(), 2);
  for (std::size_t i = 0; i < split.masters.size(); ++i) {
    parts(split.masters[i], 0) = force(static_cast<Eigen::Index>(i)).real();
    parts(split.masters[i], 1) = force(static_cast<Eigen::Index>(i)).imag();
  }
  std::vector<Eigen::Index> kept;
  for (Eigen::Index c = 0; c < 2; ++c) {
    if (parts.col(c).norm() > 0.0) kept.push_back(c);
  }
  return parts(Eigen::all, kept);
}

class Interpolation {
 public:
  Interpolation(const model::Structure& structure, const Substructure& split, std::size_t bands)
      : structure_(structure), split_(split), factored_(bands, false) {
    for (std::size_t b = 0; b < bands; ++b) shifted_.emplace_back(structure.K, structure.M);
    found_.vectors.resize(structure.size(), 0);
  }

  void take(GridPoint& point) {
    point.taken = true;
    ShiftedStructure& shifted = shifted_[point.band_number];
    factored_[point.band_number] = shifted.factor(squared(point.frequency_hz));
    if (!factored_[point.band_number]) return;  // a natural frequency
    const Eigen::MatrixXd x = shifted.solve(force_columns(split_, point.band->force));
    const Eigen::Index before = found_.vectors.cols();
    found_.vectors.conservativeResize(Eigen::NoChange, before + x.cols());
    found_.vectors.rightCols(x.cols()) = x;
    found_.frequency_hz.push_back(point.frequency_hz);
  }

  void project() {
    basis_ = hybrid_basis(structure_, split_, interior_residuals(split_, found_.vectors));
  }

  // The largest of the estimated errors of the columns of a force.
  [[nodiscard]] double error_at(const GridPoint& point) const {
    const double square = squared(point.frequency_hz);
    const Eigen::MatrixXd f = force_columns(split_, point.band->force);
    const Eigen::MatrixXd A = basis_.K - square * basis_.M;
    const Eigen::MatrixXd z =
        Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(basis_.H.transpose() * f);
    const Eigen::MatrixXd x = product(basis_.H, z);
    const Eigen::MatrixXd left =
        f - sparse_times(structure_.K, x) + square * sparse_times(structure_.M, x);
    if (!factored_[point.band_number]) return 0.0;
    const Eigen::MatrixXd error = shifted_[point.band_number].solve(left);
    const double whole = (error.colwise().norm().array() / x.colwise().norm().array()).maxCoeff();
    const Eigen::VectorXd moved = x(split_.masters, Eigen::all).rowwise().norm();
    Eigen::Index most = 0;
    const double gain = moved.maxCoeff(&most);
    const auto row = split_.masters[static_cast<std::size_t>(most)];
    return gain > 0.0 ? std::max(whole, error.row(row).norm() / gain) : whole;
  }

  RationalBasis found_;

 private:
  const model::Structure& structure_;
  const Substructure& split_;
  std::vector<ShiftedStructure> shifted_;  // one for each band: an estimate needs a shift nearby
  std::vector<bool> factored_;
  HybridBasis basis_;
};

}  // namespace

RationalBasis rational_basis(const model::Structure& structure, const Substructure& split,
                             const std::vector<ResponseBand>& bands, double width, double wanted,
                             Eigen::Index most) {
  std::vector<GridPoint> grid = grid_of(bands, width);
  Interpolation interpolation(structure, split, bands.size());
  for (GridPoint& point : grid) {
    if (point.frequency_hz == point.band->frequency_hz) interpolation.take(point);
  }
  while (interpolation.found_.vectors.cols() > 0) {
    interpolation.project();
    GridPoint* worst = nullptr;
    interpolation.found_.error = 0.0;
    for (GridPoint& point : grid) {
      if (point.taken) continue;
      const double error = interpolation.error_at(point);
      if (error > interpolation.found_.error) {
        interpolation.found_.error = error;
        worst = &point;
      }
    }
    if (worst == nullptr || interpolation.found_.error <= wanted) break;
    if (interpolation.found_.vectors.cols() >= most) break;
    interpolation.take(*worst);
  }
  return interpolation.found_;
}

}  // namespace alembert::reduce
