#include "reduce/modes/mode_finder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "reduce/modes/block_lanczos.hpp"
#include "reduce/modes/dense_modes.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

double diagonal_scale(const model::SparseMatrix& K, const model::SparseMatrix& M) {
  double scale = 0.0;
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const double mass = M.coeff(i, i);
    if (mass > 0.0) scale = std::max(scale, K.coeff(i, i) / mass);
  }
  return scale > 0.0 ? scale : 1.0;
}

EigenPairs turned(const ShiftedStructure& factored, const Eigen::MatrixXd& X) {
  return rayleigh_ritz(X, sparse_times(factored.stiffness(), X), sparse_times(factored.mass(), X));
}

// The largest |K φ - λ M φ|.
double worst_residual(const ShiftedStructure& factored, const EigenPairs& pairs) {
  const Eigen::MatrixXd R =
      sparse_times(factored.stiffness(), pairs.vectors) -
      sparse_times(factored.mass(), pairs.vectors) * pairs.values.asDiagonal();
  return R.colwise().norm().maxCoeff();
}

// Inverse iteration, then Rayleigh-Ritz, as long as it halves the residual: modes far from the
// shift and those of clusters lose digits in Lanczos.
EigenPairs polished(const ShiftedStructure& factored, const Eigen::MatrixXd& X) {
  constexpr int kMostPasses = 5;
  EigenPairs best = turned(factored, X);
  if (best.values.size() == 0) return best;
  double least = worst_residual(factored, best);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    Eigen::MatrixXd better = factored.solve(sparse_times(factored.mass(), best.vectors));
    better.colwise().normalize();
    EigenPairs pairs = turned(factored, better);
    if (pairs.values.size() == 0) break;
    const double residual = worst_residual(factored, pairs);
    const bool halved = residual < 0.5 * least;
    if (residual < least) {
      least = residual;
      best = std::move(pairs);
    }
    if (!halved) break;
  }
  return best;
}

}  // namespace

ModeFinder::ModeFinder(const model::SparseMatrix& K, const model::SparseMatrix& M,
                       const ModesOptions& options)
    : options_(options), shifted_(K, M), scale_(diagonal_scale(K, M)) {
  vectors_.resize(K.rows(), 0);
}

Eigen::Index ModeFinder::block() const {
  if (options_.block > 0) return options_.block;
  return shifted_.size() < 100'000 ? 8 : 16;
}

// A shift that happens to be an eigenvalue moves by a little.
bool ModeFinder::factor_near(double shift, double width) {
  for (int tries = 0; tries < 4; ++tries) {
    if (shifted_.factor(shift + tries * 1e-7 * width)) return true;
  }
  return false;
}

Eigen::Index ModeFinder::count_below(double x) {
  if (!factor_near(x, std::max(std::abs(x), 1e-9 * scale_))) {
    throw InvalidInput({.function = "modes",
                        .argument = "K",
                        .rule = "must not have null vectors in common with M: a coordinate or a "
                                "motion with neither stiffness nor mass"});
  }
  return shifted_.below();
}

double ModeFinder::lowest_shift() {
  const auto refuse = [](const char* matrix, Eigen::Index count) {
    throw InvalidInput({.function = "modes",
                        .argument = matrix,
                        .rule = "must be positive semidefinite",
                        .value = std::to_string(count) + " negative eigenvalues"});
  };
  // K + 1e3 λmax M takes the signs of M, K + 1e-7 λmax M those of K.
  if (const Eigen::Index negative = count_below(-1e3 * scale_)) refuse("M", negative);
  const double shift = -1e-7 * scale_;
  if (const Eigen::Index negative = count_below(shift)) refuse("K", negative);
  // One inverse iteration tells the size of the lowest eigenvalue: s = -1e-3 of it, or of what lies
  // above the rigid-body modes, separates better.
  RandomStream random(options_.seed);
  Eigen::MatrixXd x = random.normal_vector(shifted_.size());
  for (int i = 0; i < 2; ++i) {
    x = shifted_.solve(sparse_times(shifted_.mass(), x));
    x /= x.norm();
  }
  const double lowest = (x.transpose() * sparse_times(shifted_.stiffness(), x))(0) /
                        (x.transpose() * sparse_times(shifted_.mass(), x))(0);
  if (lowest > 1e-9 * scale_ && lowest < -10.0 * shift) return -1e-2 * lowest;
  return shift;
}

void ModeFinder::keep(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors) {
  const Eigen::Index before = values_.size();
  values_.conservativeResize(before + values.size());
  values_.tail(values.size()) = values;
  vectors_.conservativeResize(Eigen::NoChange, before + vectors.cols());
  vectors_.rightCols(vectors.cols()) = vectors;
}

Eigen::Index ModeFinder::found_in(double lower, double upper) const {
  return (values_.array() > lower && values_.array() <= upper).count();
}

void ModeFinder::seek_lowest(double shift, Eigen::Index count) {
  if (!factor_near(shift, std::abs(shift))) return;
  const Eigen::Index b = block();
  const LanczosRun run = block_lanczos(
      shifted_, vectors_,
      {.block = b,
       .basis = 5 * count + 20 * b,
       .tolerance = options_.tolerance,
       .seed = options_.seed,
       .enough = [&](const Eigen::VectorXd& values) { return values.size() > count + 1; },
       .ask_from = 2 * count + 4 * b});
  solves_ += run.solves;
  if (run.values.size() == 0) return;
  const Eigen::Index kept = std::min<Eigen::Index>(run.values.size(), count + 4);
  const EigenPairs pairs = polished(shifted_, run.vectors.leftCols(kept));
  keep(pairs.values, pairs.vectors);
}

// Vectors of several runs hold small shares of one another: they are turned together.
void ModeFinder::turn_together(const Interval& slice) {
  std::vector<Eigen::Index> which;
  for (Eigen::Index i = 0; i < values_.size(); ++i) {
    if (values_(i) > slice.lower && values_(i) <= slice.upper) which.push_back(i);
  }
  const EigenPairs pairs = polished(shifted_, vectors_(Eigen::all, which));
  if (pairs.values.size() != static_cast<Eigen::Index>(which.size())) return;
  values_(which) = pairs.values;
  vectors_(Eigen::all, which) = pairs.vectors;
}

bool ModeFinder::seek_slice(const Interval& slice) {
  constexpr int kMostTries = 8;
  Eigen::Index b = block();
  double factor = 3.0;
  int runs = found_in(slice.lower, slice.upper) > 0 ? 1 : 0;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const Eigen::Index missing = slice.count() - found_in(slice.lower, slice.upper);
    if (missing <= 0) break;
    const double middle = 0.5 * (slice.lower + slice.upper);
    if (tries == 0 || shifted_.shift() != middle) {
      (void)factor_near(middle, slice.upper - slice.lower);
    }
    const auto inside = [&](double value) { return value > slice.lower && value <= slice.upper; };
    const LanczosRun run = block_lanczos(
        shifted_, vectors_,
        {.block = b,
         .basis = static_cast<Eigen::Index>(factor * static_cast<double>(missing)) + 12 * b,
         .tolerance = options_.tolerance,
         .seed = options_.seed + static_cast<std::uint64_t>(tries) * 1000,
         .enough =
             [&](const Eigen::VectorXd& values) {
               return std::count_if(values.begin(), values.end(), inside) >= missing;
             },
         .ask_from = missing + 3 * b});
    solves_ += run.solves;
    std::vector<Eigen::Index> which;
    for (Eigen::Index i = 0; i < run.values.size(); ++i) {
      if (inside(run.values(i))) which.push_back(i);
    }
    if (!which.empty()) {
      const EigenPairs pairs = polished(shifted_, run.vectors(Eigen::all, which));
      keep(pairs.values, pairs.vectors);
      ++runs;
    }
    b = std::min<Eigen::Index>(2 * b, 32);
    factor *= 1.7;
  }
  if (runs > 1) turn_together(slice);
  return found_in(slice.lower, slice.upper) == slice.count();
}

std::vector<Interval> ModeFinder::slices(const Interval& interval, double least) {
  if (interval.count() == 0) return {};
  const double width = interval.upper - interval.lower;
  if (interval.count() <= options_.per_shift || width <= least) return {interval};
  // A cut between close eigenvalues would find some on both sides: counted a little to each side.
  for (const double part : {0.5, 0.37, 0.62, 0.29, 0.71}) {
    const double cut = interval.lower + part * width;
    const Eigen::Index left = count_below(cut - 1e-6 * width);
    const Eigen::Index right = count_below(cut + 1e-6 * width);
    if (left != right) continue;
    std::vector<Interval> all = slices({interval.lower, cut, interval.below_lower, left}, least);
    for (const Interval& one : slices({cut, interval.upper, left, interval.below_upper}, least)) {
      all.push_back(one);
    }
    return all;
  }
  return {interval};
}

bool ModeFinder::seek_in(const Interval& interval) {
  const double least = 1e-5 * (interval.upper - interval.lower);
  bool all = true;
  for (const Interval& slice : slices(interval, least)) all = seek_slice(slice) && all;
  return all;
}

void ModeFinder::take_dense() {
  const EigenPairs pairs = dense_modes(Eigen::MatrixXd(shifted_.stiffness()),
                                       Eigen::MatrixXd(shifted_.mass()), -1e-4 * scale_);
  keep(pairs.values, pairs.vectors);
}

StructureModes ModeFinder::found(double lower, double upper) const {
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < values_.size(); ++i) {
    if (values_(i) > lower && values_(i) <= upper) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return values_(a) < values_(b); });
  StructureModes modes;
  modes.shapes = vectors_(Eigen::all, order);
  modes.eigenvalue = values_(order);
  for (Eigen::Index c = 0; c < modes.shapes.cols(); ++c) {
    Eigen::Index largest = 0;
    modes.shapes.col(c).cwiseAbs().maxCoeff(&largest);
    if (modes.shapes(largest, c) < 0.0) modes.shapes.col(c) *= -1.0;
    // What rounding leaves of zero.
    if (std::abs(modes.eigenvalue(c)) <= 1e-12 * scale_) modes.eigenvalue(c) = 0.0;
  }
  modes.frequency_hz = modes.eigenvalue.cwiseMax(0.0).cwiseSqrt() / (2.0 * std::numbers::pi);
  const Eigen::MatrixXd KX = sparse_times(shifted_.stiffness(), modes.shapes);
  const Eigen::MatrixXd MX = sparse_times(shifted_.mass(), modes.shapes);
  modes.residual.resize(modes.count());
  for (Eigen::Index c = 0; c < modes.count(); ++c) {
    const double lambda = modes.eigenvalue(c);
    const double size = std::max(std::abs(lambda), 1e-3 * modes.eigenvalue.cwiseAbs().maxCoeff());
    modes.residual(c) = size > 0.0
                            ? (KX.col(c) - lambda * MX.col(c)).norm() / (size * MX.col(c).norm())
                            : KX.col(c).norm() / (scale_ * MX.col(c).norm());
  }
  modes.factorisations = shifted_.factorisations();
  modes.solves = solves_;
  modes.factor_entries = shifted_.factorisations() > 0 ? shifted_.factor_entries() : 0.0;
  return modes;
}

}  // namespace alembert::reduce
