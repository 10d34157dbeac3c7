#include <cmath>

#include "alembert/optimize/group_scatter.hpp"
#include "alembert/optimize/student.hpp"
#include "optimize/scatter/f_distribution.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Scatter of fewer groups says little: t(2) = 4.3.
constexpr Index kFewestGroups = 4;
// Noise alone makes a scatter as large in so many records. Lower levels leave intervals too short
// where parts disagree: a model that misses something also looks like coloured noise, so that the
// test sees little of it (docs/theory/deviations.md, section 11).
constexpr double kChance = 0.25;
constexpr double kUpperEnd = 0.975;

double half_width(double deviation, double freedom) {
  return student_quantile(kUpperEnd, freedom) * deviation;
}

}  // namespace

GroupScatter allow_for_scatter(const std::vector<ColouredBlock>& blocks, Index parameters,
                               const std::vector<DataPiece>& pieces, const Eigen::MatrixXd& prior,
                               ColouredCovariance& found) {
  if (!found.ok() || static_cast<Index>(pieces.size()) < kFewestGroups) return {};
  const std::vector<ScoreGroup> groups = score_groups(blocks, parameters, pieces, found.spectra);
  if (static_cast<Index>(groups.size()) < kFewestGroups) return {};
  const GroupScatter scatter = group_scatter(groups, found.deviations.head(parameters),
                                             found.freedom.head(parameters), prior);
  VectorXd growth = VectorXd::Ones(found.deviations.size());
  for (Index j = 0; j < parameters; ++j) {
    if (!(f_tail(scatter.ratio(j), scatter.freedom(j), found.freedom(j)) < kChance)) continue;
    if (!(half_width(scatter.deviations(j), scatter.freedom(j)) >
          half_width(found.deviations(j), found.freedom(j)))) {
      continue;
    }
    growth(j) = scatter.deviations(j) / found.deviations(j);
    found.freedom(j) = scatter.freedom(j);
  }
  found.deviations = found.deviations.cwiseProduct(growth);
  found.covariance = growth.asDiagonal() * found.covariance * growth.asDiagonal();
  return scatter;
}

}  // namespace alembert::optimize
