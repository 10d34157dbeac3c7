#include "model/flexible/zeroed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algebra/decompositions.hpp"
#include "model/flexible/nodes.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kGoodCondition = 1e3;   // rotations of driven bodies are taken up to here
constexpr double kWorstCondition = 1e8;  // half of the digits: beyond it nothing is held

double condition(const MatrixXd& S, const std::vector<int>& rows) {
  const Eigen::JacobiSVD<MatrixXd> svd(S(rows, Eigen::all));
  const double smallest = svd.singularValues().tail<1>()(0);
  return smallest > 0.0 ? svd.singularValues()(0) / smallest
                        : std::numeric_limits<double>::infinity();
}

// The rotation at the first point of each body whose angle is a coordinate; fewer if there is none.
std::vector<int> driven_rotations(const FlexibleDescription& description,
                                  const FlexibleLayout& layout) {
  std::vector<int> rows;
  for (const planar::Coordinate& one : description.mechanism.coordinates) {
    if (one.kind != planar::CoordinateKind::Angle) continue;
    const int node = find_node(layout, one.of);
    if (node < 0) continue;
    const int unknown = layout.nodes[static_cast<std::size_t>(node)].components[2].unknown;
    if (unknown >= 0 && std::find(rows.begin(), rows.end(), unknown) == rows.end()) {
      rows.push_back(unknown);
    }
  }
  return rows;
}

std::vector<int> pivoted_rows(const MatrixXd& S) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(S.transpose());
  std::vector<int> rows;
  for (Index i = 0; i < S.cols(); ++i) rows.push_back(qr.colsPermutation().indices()(i));
  return rows;
}

}  // namespace

double choose_zeroed(const FlexibleDescription& description, double size, const MatrixXd& S,
                     FlexibleLayout& layout) {
  if (S.rows() <= S.cols()) refuse("", "no body is flexible");
  MatrixXd scaled = S;
  for (Index i = 0; i < S.rows(); ++i) {
    if (layout.unknowns[static_cast<std::size_t>(i)].direction.z() == 0.0) scaled.row(i) /= size;
  }
  std::vector<int> rows = driven_rotations(description, layout);
  const bool enough = static_cast<Index>(rows.size()) == S.cols();
  if (!enough || condition(scaled, rows) > kGoodCondition) rows = pivoted_rows(scaled);
  const double found = condition(scaled, rows);
  if (found > kWorstCondition) {
    refuse("",
           fmt::format("no {} displacements fix the rigid motion at the start: it is a dead centre",
                       S.cols()));
  }
  std::vector<int> order;
  for (int i = 0; i < layout.size(); ++i) {
    if (std::find(rows.begin(), rows.end(), i) == rows.end()) order.push_back(i);
  }
  order.insert(order.end(), rows.begin(), rows.end());
  reorder(order, static_cast<int>(rows.size()), layout);
  return found;
}

void check_elastic(const FlexibleLayout& layout, const MatrixXd& K) {
  const Eigen::VectorXd scale = K.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Index i = 0; i < K.rows(); ++i) {
    if (scale(i) > 0.0) continue;
    refuse("", fmt::format("nothing flexible holds the displacement {}",
                           layout.names[static_cast<std::size_t>(i)]));
  }
  const Eigen::VectorXd inverse = scale.cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(inverse.asDiagonal() * K *
                                                      inverse.asDiagonal());
  // The smallest eigenvalue of a beam falls as 1/elements⁴: 1e-9 at the most elements possible.
  if (modes.eigenvalues()(0) >
      1e3 * static_cast<double>(K.rows()) * std::numeric_limits<double>::epsilon()) {
    return;
  }
  Index largest = 0;
  modes.eigenvectors().col(0).cwiseAbs().maxCoeff(&largest);
  refuse("", fmt::format("the flexible bodies leave a motion free that no coordinate describes; it "
                         "moves {} most",
                         layout.names[static_cast<std::size_t>(largest)]));
}

}  // namespace alembert::model::flexible
