#include "alembert/identify/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Columns brought to length 1, so that ranks do not depend on units; zero columns dropped.
MatrixXd normalised(const MatrixXd& columns) {
  MatrixXd result(columns.rows(), columns.cols());
  Index kept = 0;
  for (Index c = 0; c < columns.cols(); ++c) {
    const double norm = columns.col(c).norm();
    if (norm > 0.0) result.col(kept++) = columns.col(c) / norm;
  }
  return result.leftCols(kept);
}

// The coordinates j whose unit vector is a combination of the columns.
std::vector<Index> reached(const MatrixXd& Q) {
  constexpr double kInside = 1e-9;  // of a unit vector, left after the projection
  std::vector<Index> coordinates;
  for (Index j = 0; j < Q.rows(); ++j) {
    if (1.0 - Q.row(j).squaredNorm() < kInside) coordinates.push_back(j);
  }
  return coordinates;
}

struct Reach {
  std::vector<Index> coordinates;
  Index rank = 0;
};

Reach reach_of(const MatrixXd& columns) {
  const MatrixXd unit = normalised(columns);
  if (unit.cols() == 0) return {};
  const MatrixXd Q = dense::orthonormal_basis(unit);
  return {reached(Q), Q.cols()};
}

std::string named(const std::vector<Index>& coordinates, const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (const Index j : coordinates) {
    words.push_back(static_cast<std::size_t>(j) < names.size() ? names[static_cast<std::size_t>(j)]
                                                               : fmt::format("q{}", j + 1));
  }
  return join(words, ", ");
}

std::string advice_for(const Coverage& found, bool complete, bool shared,
                       const std::vector<std::string>& names) {
  std::string text;
  if (!complete) {
    text =
        found.uncovered.empty()
            ? "the sensors and forces do not reach all combinations of the coordinates: add a "
              "sensor or a force"
            : fmt::format("{} {} neither sensed nor actuated: put a sensor or a force on {}",
                          named(found.uncovered, names), found.uncovered.size() == 1 ? "is" : "are",
                          found.uncovered.size() == 1 ? "it" : "each");
  }
  if (!shared) {
    if (!text.empty()) text += "; ";
    text += "no coordinate has both a sensor and a force: put a force on ";
    text += found.sensed.empty() ? std::string("a sensed coordinate")
                                 : "one of " + named(found.sensed, names);
    text += found.actuated.empty() ? std::string()
                                   : ", or a sensor on one of " + named(found.actuated, names);
  }
  return text;
}

}  // namespace

Coverage coverage(const Eigen::Ref<const MatrixXd>& L, const model::OutputMap& outputs,
                  const std::vector<std::string>& names) {
  const Index n = L.rows();
  check::at_least("coverage", "number of coordinates (rows of L)", n, 1);
  check::all_finite("coverage", "L", L);
  model::check_outputs("coverage", outputs, n);
  MatrixXd C(n, 3 * outputs.outputs());
  C << outputs.displacement.transpose(), outputs.velocity.transpose(),
      outputs.acceleration.transpose();
  MatrixXd both(n, L.cols() + C.cols());
  both << L, C;
  const Reach forces = reach_of(L);
  const Reach sensors = reach_of(C);
  const Reach all = reach_of(both);
  Coverage result;
  result.actuated = forces.coordinates;
  result.sensed = sensors.coordinates;
  std::set_intersection(result.sensed.begin(), result.sensed.end(), result.actuated.begin(),
                        result.actuated.end(), std::back_inserter(result.collocated));
  for (Index j = 0; j < n; ++j) {
    if (!std::binary_search(all.coordinates.begin(), all.coordinates.end(), j)) {
      result.uncovered.push_back(j);
    }
  }
  // range L + range Cᵀ must be everything, and the two must share a direction.
  const bool complete = all.rank == n;
  const bool shared = forces.rank + sensors.rank > all.rank;
  result.identifiable = complete && shared;
  result.advice = advice_for(result, complete, shared, names);
  return result;
}

}  // namespace alembert::identify
