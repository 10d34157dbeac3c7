#include "optimize/solvers/quadratic_model.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/optimize/detail/box_quadratic.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMaxPoints = 500;
constexpr Index kMaxMonomials = 200;
constexpr int kMaxDoublings = 20;
// Relative to the diagonal of the normal equations.
constexpr double kRidge = 1e-12;
constexpr double kRidgeUnderdetermined = 1e-3;
constexpr int kSweeps = 8;
constexpr int kRounds = 6;

Index monomials(Index n) { return (n + 1) * (n + 2) / 2; }

// 1, z_i, ½ z_i², z_i z_j
void write_monomials(const VectorXd& z, VectorXd& row) {
  Index k = 0;
  row(k++) = 1.0;
  for (const double entry : z) row(k++) = entry;
  for (Index j = 0; j < z.size(); ++j) {
    row(k++) = 0.5 * z(j) * z(j);
    for (Index i = j + 1; i < z.size(); ++i) row(k++) = z(i) * z(j);
  }
}

// Minimises along one coordinate after the other, within the box.
void coordinate_sweep(const MatrixXd& H, const VectorXd& g, const VectorXd& lower,
                      const VectorXd& upper, VectorXd& z) {
  for (Index j = 0; j < z.size(); ++j) {
    const double slope = g(j) + H.row(j).dot(z) - H(j, j) * z(j);  // at z_j = 0
    const auto value = [&](double t) { return slope * t + 0.5 * H(j, j) * t * t; };
    double best = value(lower(j)) < value(upper(j)) ? lower(j) : upper(j);
    if (H(j, j) > 0.0) best = std::clamp(-slope / H(j, j), lower(j), upper(j));
    if (value(best) < value(z(j))) z(j) = best;
  }
}

}  // namespace

bool QuadraticModel::fit(const std::vector<KnownPoint>& points, const VectorXd& centre,
                         const VectorXd& frame) {
  const Index n = centre.size();
  if (monomials(n) > kMaxMonomials) return false;
  centre_ = centre;
  select(points, frame);
  if (static_cast<Index>(chosen_.size()) < n + 2) return false;
  lower_ = upper_ = centre;
  for (const std::size_t k : chosen_) {
    lower_ = lower_.cwiseMin(points[k].x);
    upper_ = upper_.cwiseMax(points[k].x);
  }
  radius_ = (upper_ - centre).cwiseMax(centre - lower_);
  if (!(radius_.minCoeff() > 0.0)) return false;
  return regress(points);
}

void QuadraticModel::select(const std::vector<KnownPoint>& points, const VectorXd& frame) {
  const std::size_t wanted = static_cast<std::size_t>(monomials(centre_.size()));
  std::vector<std::pair<double, std::size_t>> distances;  // in frames, largest coordinate
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!std::isfinite(points[k].cost)) continue;
    double distance = 0.0;
    for (Index i = 0; i < frame.size(); ++i) {
      distance = std::max(distance, std::abs(points[k].x(i) - centre_(i)) / frame(i));
    }
    distances.emplace_back(distance, k);
  }
  std::sort(distances.begin(), distances.end());
  double box = 2.0;
  for (int doublings = 0; doublings < kMaxDoublings; ++doublings, box *= 2.0) {
    if (distances.size() < wanted || distances[wanted - 1].first <= box) break;
  }
  chosen_.clear();
  for (const auto& [distance, k] : distances) {
    if (distance > box || chosen_.size() == kMaxPoints) break;
    chosen_.push_back(k);
  }
}

bool QuadraticModel::regress(const std::vector<KnownPoint>& points) {
  const Index n = centre_.size();
  const Index size = monomials(n);
  MatrixXd normal = MatrixXd::Zero(size, size);
  VectorXd right = VectorXd::Zero(size);
  VectorXd row(size), z(n);
  // Costs relative to the best: far away ones would swamp what is near it.
  const double offset = points[chosen_.front()].cost;
  for (const std::size_t k : chosen_) {
    z = (points[k].x - centre_).cwiseQuotient(radius_);
    write_monomials(z, row);
    right += (points[k].cost - offset) * row;
    for (Index j = 0; j < size; ++j) {
      for (Index i = j; i < size; ++i) normal(i, j) += row(i) * row(j);
    }
  }
  const bool underdetermined = static_cast<Index>(chosen_.size()) < size;
  const double ridge = underdetermined ? kRidgeUnderdetermined : kRidge;
  const double largest = normal.diagonal().maxCoeff();
  // Few points say more about the slope than about the curvature: only that is held back.
  for (Index k = n + 1; k < size; ++k) normal(k, k) += ridge * largest;
  for (Index k = 0; k <= n; ++k) normal(k, k) += kRidge * largest;
  const Eigen::LDLT<MatrixXd> factor(normal);
  const VectorXd coefficients = factor.solve(right);
  if (!coefficients.allFinite()) return false;
  constant_ = offset + coefficients(0);
  gradient_ = coefficients.segment(1, n);
  hessian_.resize(n, n);
  Index k = n + 1;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) hessian_(i, j) = hessian_(j, i) = coefficients(k++);
  }
  return true;
}

double QuadraticModel::value(const VectorXd& x) const {
  const VectorXd z = (x - centre_).cwiseQuotient(radius_);
  const VectorXd Hz = hessian_ * z;
  return constant_ + gradient_.dot(z) + 0.5 * z.dot(Hz);
}

VectorXd QuadraticModel::minimiser(const VectorXd& lower, const VectorXd& upper) const {
  const VectorXd low = (lower - centre_).cwiseQuotient(radius_);
  const VectorXd high = (upper - centre_).cwiseQuotient(radius_);
  VectorXd z = VectorXd::Zero(centre_.size());
  // A convex model is minimised at once. For others coordinate sweeps find a low corner.
  if (minimise_box_quadratic(hessian_, gradient_, low, high, z)) {
    return centre_ + z.cwiseProduct(radius_);
  }
  z.setZero();
  for (int sweep = 0; sweep < kSweeps * kRounds; ++sweep) {
    coordinate_sweep(hessian_, gradient_, low, high, z);
  }
  return centre_ + z.cwiseProduct(radius_);
}

}  // namespace alembert::optimize
