#include "optimize/solvers/mads_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kAnisotropy = 0.1;

int rounded_mantissa(double mantissa) { return mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : 5; }

}  // namespace

MadsMesh::MadsMesh(const VectorXd& frame)
    : mantissa_(frame.size()), exponent_(frame.size()), first_exponent_(frame.size()) {
  for (Index i = 0; i < frame.size(); ++i) {
    exponent_(i) = static_cast<int>(std::log10(frame(i)));
    mantissa_(i) = rounded_mantissa(frame(i) / std::pow(10.0, exponent_(i)));
  }
  first_exponent_ = exponent_;
}

double MadsMesh::frame(Index i) const { return mantissa_(i) * std::pow(10.0, exponent_(i)); }

double MadsMesh::mesh(Index i) const {
  return std::pow(10.0, exponent_(i) - std::abs(exponent_(i) - first_exponent_(i)));
}

double MadsMesh::largest_frame() const {
  double largest = 0.0;
  for (Index i = 0; i < mantissa_.size(); ++i) largest = std::max(largest, frame(i));
  return largest;
}

void MadsMesh::refine() {
  for (Index i = 0; i < mantissa_.size(); ++i) {
    if (mantissa_(i) == 1) --exponent_(i);
    mantissa_(i) = mantissa_(i) == 1 ? 5 : mantissa_(i) == 5 ? 2 : 1;
  }
}

void MadsMesh::enlarge(const VectorXd& d) {
  double smallest_ratio = ratio(0);
  for (Index i = 1; i < d.size(); ++i) smallest_ratio = std::min(smallest_ratio, ratio(i));
  for (Index i = 0; i < d.size(); ++i) {
    const bool moved = std::abs(d(i)) > kAnisotropy * frame(i);
    const bool behind =
        exponent_(i) < first_exponent_(i) && ratio(i) > smallest_ratio * smallest_ratio;
    if (!moved && !behind) continue;
    if (mantissa_(i) == 5) ++exponent_(i);
    mantissa_(i) = mantissa_(i) == 1 ? 2 : mantissa_(i) == 2 ? 5 : 1;
  }
}

VectorXd MadsMesh::scaled(const VectorXd& v) const {
  const double size = v.cwiseAbs().maxCoeff();
  VectorXd d(v.size());
  for (Index i = 0; i < v.size(); ++i) d(i) = std::round(ratio(i) * v(i) / size) * mesh(i);
  return d;
}

VectorXd MadsMesh::snapped(const VectorXd& x, const VectorXd& centre) const {
  VectorXd point(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    point(i) = centre(i) + std::round((x(i) - centre(i)) / mesh(i)) * mesh(i);
  }
  return point;
}

}  // namespace alembert::optimize
