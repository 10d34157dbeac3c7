#include "alembert/reduce/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "reduce/modes/mode_finder.hpp"

namespace alembert::reduce {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void check_pair(const char* function, const model::SparseMatrix& K, const model::SparseMatrix& M) {
  check::at_least(function, "rows of K", K.rows(), 1);
  check::size(function, "columns of K", K.cols(), K.rows());
  check::size(function, "rows of M", M.rows(), K.rows());
  check::size(function, "columns of M", M.cols(), K.rows());
}

double eigenvalue_of(double frequency_hz) {
  const double omega = 2.0 * std::numbers::pi * frequency_hz;
  return omega * omega;
}

double frequency_of(double eigenvalue) {
  return std::sqrt(std::max(eigenvalue, 0.0)) / (2.0 * std::numbers::pi);
}

void conclude(StructureModes& modes, const char* advice) {
  if (modes.counted < 0 || modes.counted == modes.found) return;
  modes.status = Status::NotConverged;
  modes.message = fmt::format("{} modes up to {:.6g} Hz by inertia, {} found; {}", modes.counted,
                              modes.proven_to_hz, modes.found, advice);
}

// A place behind the k-th of sorted values where no eigenvalue is near.
double gap_behind(const Eigen::VectorXd& sorted, Eigen::Index k, double scale) {
  constexpr double kGap = 1e-6;
  for (Eigen::Index i = k; i < sorted.size(); ++i) {
    const double gap = sorted(i) - sorted(i - 1);
    if (gap > kGap * std::abs(sorted(i)) && gap > 1e-11 * scale) {
      return sorted(i - 1) + 0.5 * gap;
    }
  }
  return sorted(sorted.size() - 1) +
         std::max(kGap * std::abs(sorted(sorted.size() - 1)), 1e-11 * scale);
}

void keep_first(StructureModes& modes, Eigen::Index count) {
  if (modes.count() <= count) return;
  modes.eigenvalue.conservativeResize(count);
  modes.frequency_hz.conservativeResize(count);
  modes.residual.conservativeResize(count);
  modes.shapes.conservativeResize(Eigen::NoChange, count);
}

constexpr const char* kAdvice = "mend the model's close eigenvalues or take a larger block";

}  // namespace

StructureModes lowest_modes(const model::SparseMatrix& K, const model::SparseMatrix& M,
                            Eigen::Index count, const ModesOptions& options) {
  check_pair("lowest_modes", K, M);
  const bool dense = K.rows() <= options.dense_below;
  const Eigen::Index most = dense ? K.rows() : std::max<Eigen::Index>(1, K.rows() / 4);
  check::in_range("lowest_modes", "count", static_cast<double>(count), 1.0,
                  static_cast<double>(most));
  ModeFinder finder(K, M, options);
  const double shift = finder.lowest_shift();
  if (dense) {
    finder.take_dense();
  } else {
    finder.seek_lowest(shift, count);
  }
  StructureModes all = finder.found(-kInfinite, kInfinite);
  if (all.count() == 0) {
    all.status = Status::NotConverged;
    all.message = "no mode converged; take a larger block";
    return all;
  }
  if (!options.prove) {
    keep_first(all, count);
    return all;
  }
  const Eigen::Index last = std::min(count, all.count());
  const double end = gap_behind(all.eigenvalue, last, finder.scale());
  const Eigen::Index counted = finder.count_below(end);
  StructureModes modes = finder.found(-kInfinite, end);
  if (modes.count() < counted) {
    (void)finder.seek_in({std::min(shift, -1e-3 * end), end, 0, counted});
    modes = finder.found(-kInfinite, end);
  }
  modes.counted = counted;
  modes.found = modes.count();
  modes.proven_to_hz = frequency_of(end);
  modes.factorisations = finder.found(end, end).factorisations;
  conclude(modes, kAdvice);
  keep_first(modes, count);
  return modes;
}

StructureModes modes_in_band(const model::SparseMatrix& K, const model::SparseMatrix& M,
                             double from_hz, double to_hz, const ModesOptions& options) {
  check_pair("modes_in_band", K, M);
  check::non_negative("modes_in_band", "from_hz", from_hz);
  check::finite("modes_in_band", "to_hz", to_hz);
  if (!(from_hz < to_hz)) {
    throw InvalidInput({.function = "modes_in_band",
                        .argument = "to_hz",
                        .rule = "must be above from_hz",
                        .value = fmt::format("{} and {}", from_hz, to_hz)});
  }
  ModeFinder finder(K, M, options);
  const double shift = finder.lowest_shift();
  const double upper = eigenvalue_of(to_hz);
  // Rigid-body modes lie inside a band that begins at 0.
  const double lower = from_hz > 0.0 ? eigenvalue_of(from_hz) : std::min(-1e-3 * upper, shift);
  const Interval band{lower, upper, from_hz > 0.0 ? finder.count_below(lower) : 0,
                      finder.count_below(upper)};
  if (K.rows() <= options.dense_below) {
    finder.take_dense();
  } else {
    (void)finder.seek_in(band);
  }
  StructureModes modes = finder.found(lower, upper);
  modes.counted = band.count();
  modes.found = modes.count();
  modes.proven_to_hz = to_hz;
  conclude(modes, kAdvice);
  return modes;
}

Eigen::Index count_modes_below(const model::SparseMatrix& K, const model::SparseMatrix& M,
                               double frequency_hz) {
  check_pair("count_modes_below", K, M);
  check::positive("count_modes_below", "frequency_hz", frequency_hz);
  ModeFinder finder(K, M, {});
  return finder.count_below(eigenvalue_of(frequency_hz));
}

}  // namespace alembert::reduce
