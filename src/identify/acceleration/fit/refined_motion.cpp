#include "identify/acceleration/fit/refined_motion.hpp"

#include <algorithm>

#include "identify/verdict/unsure.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Where the unknowns of the search stand in θ: those that are no parameters are x0, v0 and the
// offset, in this order.
std::vector<Index> unknown_places(const RefinedEquation& refined,
                                  const std::vector<std::string>& names) {
  std::vector<Index> places;
  auto next = static_cast<Index>(refined.names.size());
  for (const std::string& name : names) {
    const auto found = std::find(refined.names.begin(), refined.names.end(), name);
    places.push_back(found == refined.names.end() ? next++ : found - refined.names.begin());
  }
  return places;
}

}  // namespace

VectorXd stacked_unknowns(const RefinedEquation& refined) {
  VectorXd theta(refined.parameters.size() + 3);
  theta << refined.parameters, refined.x0, refined.v0, refined.offset;
  return theta;
}

MatrixXd open_directions(const RefinedEquation& refined) {
  const optimize::EstimateStatistics& statistics = refined.search.trusted();
  const MatrixXd root = unsure_directions(statistics);
  const std::vector<Index> places = unknown_places(refined, statistics.names);
  MatrixXd directions = MatrixXd::Zero(refined.parameters.size() + 3, root.cols());
  for (Index i = 0; i < root.rows(); ++i) {
    directions.row(places[static_cast<std::size_t>(i)]) = root.row(i);
  }
  return directions;
}

VectorXd acceleration_for(const EquationOfMotion& equation, const AccelerationRecord& record,
                          const VectorXd& theta) {
  const Index count = theta.size() - 3;
  const SimulatedMotion motion =
      simulate_motion(equation, theta.head(count), theta(count), theta(count + 1), record.step,
                      record.samples(), record.forcing, record.start_time);
  if (!motion.ok()) return {};
  return motion.acceleration.array() + theta(count + 2);
}

}  // namespace alembert::identify
