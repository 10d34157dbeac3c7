#include "alembert/optimize/box_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/optimize/detail/box_quadratic.hpp"

namespace alembert::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kMinimiseInBox = "minimise_in_box";

void check_box(const Eigen::Ref<const MatrixXd>& H, const Eigen::Ref<const VectorXd>& g,
               const Eigen::Ref<const VectorXd>& lower, const Eigen::Ref<const VectorXd>& upper) {
  check::at_least(kMinimiseInBox, "size of g", g.size(), 1);
  check::shape(kMinimiseInBox, "H", H, g.size(), g.size());
  check::all_finite(kMinimiseInBox, "H", H);
  check::all_finite(kMinimiseInBox, "g", g);
  check::symmetric(kMinimiseInBox, "H", H);
  check::size(kMinimiseInBox, "size of lower", lower.size(), g.size());
  check::size(kMinimiseInBox, "size of upper", upper.size(), g.size());
  for (Index i = 0; i < g.size(); ++i) {
    if (!(lower(i) <= upper(i))) {
      throw InvalidInput({.function = kMinimiseInBox,
                          .argument = fmt::format("lower({})", i + 1),
                          .rule = fmt::format("must not be above upper({})", i + 1),
                          .value = fmt::format("{} and {}", lower(i), upper(i))});
    }
  }
}

// A point of the box from which the search starts: the nearest to zero.
VectorXd inside(const Eigen::Ref<const VectorXd>& lower, const Eigen::Ref<const VectorXd>& upper) {
  return VectorXd::Zero(lower.size()).cwiseMax(lower).cwiseMin(upper);
}

// Minimises over the coordinates that are not fixed by equal bounds.
bool minimise_free(const Eigen::Ref<const MatrixXd>& H, const VectorXd& slope,
                   const VectorXd& lower, const VectorXd& upper, VectorXd& step) {
  std::vector<Index> free;
  for (Index i = 0; i < slope.size(); ++i) {
    if (lower(i) < upper(i)) free.push_back(i);
  }
  step.setZero(slope.size());
  if (free.empty()) return true;
  VectorXd p;
  if (!minimise_box_quadratic(H(free, free), slope(free), lower(free), upper(free), p)) {
    return false;
  }
  step(free) = p;
  return true;
}

void certify(const Eigen::Ref<const VectorXd>& lower, const Eigen::Ref<const VectorXd>& upper,
             BoxProgram& found) {
  for (Index i = 0; i < found.x.size(); ++i) {
    const double x = found.x(i);
    const double s = found.slope(i);
    const double room = s > 0.0 ? x - lower(i) : upper(i) - x;
    if (std::isfinite(room)) found.gap += std::abs(s) * room;
    const double target = std::clamp(x - s, lower(i), upper(i));
    found.kkt_residual = std::max(found.kkt_residual, std::abs(x - target));
  }
}

}  // namespace

BoxProgram minimise_in_box(const Eigen::Ref<const MatrixXd>& H, const Eigen::Ref<const VectorXd>& g,
                           const Eigen::Ref<const VectorXd>& lower,
                           const Eigen::Ref<const VectorXd>& upper) {
  check_box(H, g, lower, upper);
  constexpr double kMostGap = 1e-6;
  BoxProgram found;
  found.x = inside(lower, upper);
  const VectorXd start = found.x;
  const VectorXd slope = g + H * start;
  VectorXd step;
  if (!minimise_free(H, slope, lower - start, upper - start, step)) {
    found.status = Status::Indefinite;
    found.message = "H must be positive definite: a Cholesky factor of it does not exist";
  }
  found.x = (start + step).cwiseMax(lower).cwiseMin(upper);
  found.slope = g + H * found.x;
  found.objective = g.dot(found.x) + 0.5 * found.x.dot(H * found.x);
  certify(lower, upper, found);
  const double size = std::abs(found.objective) + std::abs(g.dot(found.x));
  if (found.ok() && found.gap > kMostGap * size && found.kkt_residual > 0.0) {
    found.status = Status::NotConverged;
    found.message =
        fmt::format("duality gap {:.3g} of an objective of {:.3g}", found.gap, found.objective);
  }
  return found;
}

}  // namespace alembert::optimize
