#include "alembert/identify/modes/mode_set.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/model/modes.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXcd;

struct PhaseSums {
  double xx, yy, xy;
};

PhaseSums phase_sums(const VectorXcd& shape) {
  return {shape.real().squaredNorm(), shape.imag().squaredNorm(), shape.real().dot(shape.imag())};
}

}  // namespace

double modal_phase_collinearity(const VectorXcd& shape) {
  const PhaseSums s = phase_sums(shape);
  const double all = s.xx + s.yy;
  if (!(all > 0.0)) return 0.0;
  return ((s.xx - s.yy) * (s.xx - s.yy) + 4.0 * s.xy * s.xy) / (all * all);
}

double mean_phase_deviation(const VectorXcd& shape) {
  const PhaseSums s = phase_sums(shape);
  // The first right singular vector of two columns: tan 2t = 2 Sxy/(Sxx - Syy).
  const double t = 0.5 * std::atan2(2.0 * s.xy, s.xx - s.yy);
  double sum = 0.0;
  double weights = 0.0;
  for (Index o = 0; o < shape.size(); ++o) {
    const double size = std::abs(shape(o));
    if (!(size > 0.0)) continue;
    const double along =
        std::abs(shape(o).real() * std::cos(t) + shape(o).imag() * std::sin(t)) / size;
    sum += size * std::acos(std::min(1.0, along));
    weights += size;
  }
  return weights > 0.0 ? sum / weights : 0.0;
}

double extended_mac(const VectorXcd& a, const VectorXcd& b) {
  check::size("extended_mac", "size of b", b.size(), a.size());
  const double across = std::abs(a.dot(b)) + std::abs((a.transpose() * b).value());
  const double own = a.squaredNorm() + std::abs((a.transpose() * a).value());
  const double other = b.squaredNorm() + std::abs((b.transpose() * b).value());
  return own > 0.0 && other > 0.0 ? across * across / (own * other) : 0.0;
}

Eigen::MatrixXd mac_matrix(const std::vector<Mode>& rows, const std::vector<Mode>& columns) {
  Eigen::MatrixXd values(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      values(static_cast<Index>(i), static_cast<Index>(k)) =
          model::mac(rows[i].shape, columns[k].shape);
    }
  }
  return values;
}

void normalise_shape(Mode& mode) {
  if (mode.shape.size() == 0) return;
  Index largest = 0;
  const double size = mode.shape.cwiseAbs().maxCoeff(&largest);
  if (!(size > 0.0)) return;
  mode.shape = (mode.shape / mode.shape(largest)).eval();
  mode.shape_deviation = (mode.shape_deviation / size).eval();
  mode.collinearity = modal_phase_collinearity(mode.shape);
  mode.phase_spread = mean_phase_deviation(mode.shape);
}

}  // namespace alembert::identify
