#include "alembert/optimize/detail/box_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/algebra/decompositions.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

enum class Side : signed char { Free, Lower, Upper };

// Newton step of the free variables to the minimum on the present face.
bool face_step(const MatrixXd& H, const VectorXd& slope, const std::vector<Index>& free,
               VectorXd& step) {
  const Index size = static_cast<Index>(free.size());
  MatrixXd part(size, size);
  VectorXd right(size);
  for (Index j = 0; j < size; ++j) {
    right(j) = -slope(free[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < size; ++i) {
      part(i, j) = H(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::LLT<MatrixXd> factor(part);
  if (factor.info() != Eigen::Success) return false;
  step = factor.solve(right);
  return step.allFinite();
}

struct Face {
  const VectorXd& lower;
  const VectorXd& upper;
  std::vector<Side> side;

  std::vector<Index> free() const {
    std::vector<Index> indices;
    for (std::size_t j = 0; j < side.size(); ++j) {
      if (side[j] == Side::Free) indices.push_back(static_cast<Index>(j));
    }
    return indices;
  }

  // Goes along the step up to the first bound, which then holds. True if the whole step fitted.
  bool advance(const std::vector<Index>& indices, const VectorXd& step, VectorXd& p) {
    double part = 1.0;
    Index blocking = -1;
    for (Index i = 0; i < step.size(); ++i) {
      const Index j = indices[static_cast<std::size_t>(i)];
      const double room = step(i) > 0.0 ? upper(j) - p(j) : lower(j) - p(j);
      if (step(i) == 0.0 || part * std::abs(step(i)) <= std::abs(room)) continue;
      part = room / step(i);
      blocking = j;
    }
    for (Index i = 0; i < step.size(); ++i) {
      p(indices[static_cast<std::size_t>(i)]) += part * step(i);
    }
    if (blocking < 0) return true;
    const bool up = upper(blocking) - p(blocking) < p(blocking) - lower(blocking);
    side[static_cast<std::size_t>(blocking)] = up ? Side::Upper : Side::Lower;
    p(blocking) = up ? upper(blocking) : lower(blocking);
    return false;
  }

  // Frees the bound that costs most; false if all of them help.
  bool release(const VectorXd& slope) {
    double worst = 0.0;
    std::size_t index = side.size();
    for (std::size_t j = 0; j < side.size(); ++j) {
      const double push = side[j] == Side::Lower   ? -slope(static_cast<Index>(j))
                          : side[j] == Side::Upper ? slope(static_cast<Index>(j))
                                                   : 0.0;
      if (push <= worst) continue;
      worst = push;
      index = j;
    }
    if (index == side.size()) return false;
    side[index] = Side::Free;
    return true;
  }
};

}  // namespace

bool minimise_box_quadratic(const MatrixXd& H, const VectorXd& g, const VectorXd& lower,
                            const VectorXd& upper, VectorXd& p) {
  p.setZero(g.size());
  Face face{lower, upper, std::vector<Side>(static_cast<std::size_t>(g.size()), Side::Free)};
  for (Index j = 0; j < g.size(); ++j) {
    if (lower(j) >= 0.0 && g(j) > 0.0) face.side[static_cast<std::size_t>(j)] = Side::Lower;
    if (upper(j) <= 0.0 && g(j) < 0.0) face.side[static_cast<std::size_t>(j)] = Side::Upper;
  }
  VectorXd slope = g;
  VectorXd step;
  // Each face is visited once at most; the limit guards against rounding.
  for (Index round = 0; round < 10 * g.size() + 10; ++round) {
    const std::vector<Index> free = face.free();
    bool arrived = true;
    if (!free.empty()) {
      if (!face_step(H, slope, free, step)) return false;
      arrived = face.advance(free, step, p);
    }
    slope = g + H * p;
    if (arrived && !face.release(slope)) break;
  }
  return true;
}

}  // namespace alembert::optimize
