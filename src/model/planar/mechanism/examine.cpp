#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "model/planar/assembly.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Singular values below this part of the largest count as zero; positions are exact to about 1e-13.
constexpr double kRankTolerance = 1e-8;

// The same next to a singular position.
constexpr double kNearlySingular = 1e-3;

// Rank, and orthonormal bases of what the rows cannot do: left (rows that depend on others) and
// right (motions that no row sees), both in columns.
struct NullSpaces {
  Index rank = 0;
  MatrixXd left;
  MatrixXd right;
};

// At least `least` columns on the right: the motions that the rows see least.
NullSpaces null_spaces(const MatrixXd& A, Index least = 0) {
  if (A.rows() == 0) return {0, {}, MatrixXd::Identity(A.cols(), A.cols())};
  Eigen::JacobiSVD<MatrixXd> svd;
  svd.compute(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const VectorXd& s = svd.singularValues();
  NullSpaces spaces;
  while (spaces.rank < s.size() && s(spaces.rank) > kRankTolerance * s(0)) ++spaces.rank;
  spaces.left = svd.matrixU().rightCols(A.rows() - spaces.rank);
  spaces.right = svd.matrixV().rightCols(std::max(least, A.cols() - spaces.rank));
  return spaces;
}

// Size of each row over all columns: how much an item has to do with a null space.
VectorXd row_norms(const MatrixXd& basis) {
  VectorXd norms(basis.rows());
  for (Index i = 0; i < basis.rows(); ++i) norms(i) = basis.row(i).norm();
  return norms;
}

// Largest rank of C_q at nearby positions that the joints allow. Where two ways to move meet, or in
// a position of symmetry, one direction may lead back or along a way on which the rank is low: many
// are tried, the same in every run.
Index nearby_rank(const Layout& layout, const MechanismState& state, const MatrixXd& motions) {
  constexpr int kDirections = 12;
  constexpr double kSteps[] = {0.05, 0.2};  // sizes of the mechanism, rad
  RandomStream random(20240302);
  Index rank = 0;
  for (int trial = 0; trial < kDirections && rank < layout.constraints; ++trial) {
    VectorXd direction = VectorXd::Zero(layout.unknowns());
    for (Index k = 0; k < motions.cols(); ++k) direction += motions.col(k) * random.normal();
    direction.normalize();
    MechanismState moved = state;
    for (Index i = 0; i < direction.size(); ++i) {
      moved.q(i) += kSteps[trial % 2] * direction(i) * (i % 3 == 2 ? 1.0 : layout.size);
    }
    if (!close_joints(layout, state.z, layout.constraints, moved).closed()) continue;
    rank = std::max(rank, null_spaces(scaled_jacobian(layout, moved, layout.constraints)).rank);
  }
  return rank;
}

// "1 coordinate", "3 coordinates".
std::string counted(Index count, const std::string& thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// The joints that can go one at a time, with all their rows, without a loss of rank.
std::vector<std::string> needless_joints(const Layout& layout, const MatrixXd& C, Index rank,
                                         const std::vector<std::string>& culprits) {
  std::vector<std::string> needless;
  for (const std::string& name : culprits) {
    MatrixXd rest(C.rows(), C.cols());
    Index rows = 0;
    for (Index i = 0; i < C.rows(); ++i) {
      if (layout.row_names[static_cast<std::size_t>(i)] != name) rest.row(rows++) = C.row(i);
    }
    if (null_spaces(rest.topRows(rows)).rank == rank) needless.push_back(name);
  }
  return needless;
}

void report_redundancy(const Layout& layout, const MatrixXd& C, const NullSpaces& spaces,
                       Assembly& assembly) {
  const std::vector<std::string> culprits = row_culprits(layout, row_norms(spaces.left));
  const std::vector<std::string> needless = needless_joints(layout, C, spaces.rank, culprits);
  const Index excess = spaces.left.cols();
  std::string message = fmt::format("{} of {} constraints {} what others forbid", excess,
                                    layout.constraints, excess == 1 ? "repeats" : "repeat");
  if (needless.empty()) {
    message += fmt::format(
        ", among the joints {}; free {} of them in one direction each (a pin in a slot, or a pin "
        "in "
        "place of a fixed joint)",
        quoted(culprits), excess);
  } else {
    message += fmt::format("; each of the joints {} can be taken away alone without a new freedom",
                           quoted(needless));
  }
  report(assembly, Status::NotIdentifiable,
         {FindingKind::RedundantConstraint, needless.empty() ? culprits : needless, message});
}

// Joints that lose hold of each other in a position where the mechanism has two ways to go on.
std::string change_point_words(const std::vector<std::string>& names) {
  return fmt::format(
      "the joints {} are at a change point, a singular configuration where the "
      "mechanism can change its way of moving",
      quoted(names));
}

void report_change_point(const Layout& layout, const NullSpaces& spaces, Assembly& assembly) {
  const std::vector<std::string> names = row_culprits(layout, row_norms(spaces.left));
  report(
      assembly, Status::NotIdentifiable,
      {FindingKind::SingularConfiguration, names, change_point_words(names) + "; start elsewhere"});
}

std::vector<std::string> coordinate_names(const Layout& layout) {
  return {layout.row_names.begin() + layout.constraints, layout.row_names.end()};
}

void report_freedom(const Layout& layout, const NullSpaces& all, Assembly& assembly) {
  const std::vector<std::string> given = coordinate_names(layout);
  const int freedoms = assembly.degrees_of_freedom;
  std::string message =
      fmt::format("the mechanism has {} degree{} of freedom ({}, {}), but {} {} given: {}",
                  freedoms, freedoms == 1 ? "" : "s", counted(layout.unknowns(), "unknown"),
                  counted(assembly.independent, "independent constraint"),
                  counted(layout.coordinates, "coordinate"), layout.coordinates == 1 ? "is" : "are",
                  quoted(given));
  std::vector<std::string> names;
  if (layout.coordinates < assembly.degrees_of_freedom) {
    names = body_culprits(layout, row_norms(all.right));
    message += fmt::format("; with these held, {} can still move: add a coordinate or a joint",
                           quoted(names));
  } else {
    names = row_culprits(layout, row_norms(all.left));
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&](const std::string& name) {
                                 return std::count(given.begin(), given.end(), name) == 0;
                               }),
                names.end());
    message += fmt::format("; take away one of {}", quoted(names));
  }
  report(assembly, Status::NotIdentifiable, {FindingKind::WrongDegreesOfFreedom, names, message});
}

Finding singular_finding(const Layout& layout, const NullSpaces& all) {
  std::vector<std::string> names = body_culprits(layout, row_norms(all.right));
  const std::string message = fmt::format(
      "the coordinates {} do not determine the motion here: {} can move while they stand still; "
      "choose other coordinates or another position",
      quoted(coordinate_names(layout)), quoted(names));
  return {FindingKind::SingularConfiguration, std::move(names), message};
}

std::vector<std::string> largest_names(const VectorXd& sizes,
                                       const std::vector<std::string>& names) {
  std::vector<Index> order(static_cast<std::size_t>(sizes.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return sizes(a) > sizes(b); });
  const double most = sizes.size() > 0 ? sizes.maxCoeff() : 0.0;
  std::vector<std::string> chosen;
  for (const Index i : order) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    if (sizes(i) < 0.1 * most || !(sizes(i) > 0.0)) continue;
    if (std::count(chosen.begin(), chosen.end(), name) == 0) chosen.push_back(name);
  }
  return chosen;
}

}  // namespace

std::vector<std::string> row_culprits(const Layout& layout, const VectorXd& left) {
  const std::vector<std::string> names(layout.row_names.begin(),
                                       layout.row_names.begin() + left.size());
  return largest_names(left, names);
}

std::vector<std::string> body_culprits(const Layout& layout, const VectorXd& right) {
  VectorXd sizes(layout.ground());
  for (int b = 0; b < layout.ground(); ++b) sizes(b) = right.segment(3 * b, 3).norm();
  return largest_names(sizes, layout.bodies);
}

std::string quoted(const std::vector<std::string>& names) {
  return names.empty() ? "none" : "'" + join(names, "', '") + "'";
}

void examine(const Layout& layout, const MechanismState& state, Assembly& assembly) {
  const MatrixXd C = scaled_jacobian(layout, state, layout.constraints);
  const NullSpaces joints = null_spaces(C);
  const NullSpaces all = null_spaces(scaled_jacobian(layout, state, layout.rows()));
  Index rank = joints.rank;
  if (rank < layout.constraints) {
    const Index elsewhere =
        joints.right.cols() > 0 ? nearby_rank(layout, state, joints.right) : rank;
    rank = std::max(rank, elsewhere);
    if (joints.rank < rank) {
      report_change_point(layout, joints, assembly);
    } else {
      report_redundancy(layout, C, joints, assembly);
    }
  }
  assembly.independent = static_cast<int>(rank);
  assembly.degrees_of_freedom = layout.unknowns() - assembly.independent;
  if (assembly.degrees_of_freedom != layout.coordinates) {
    report_freedom(layout, all, assembly);
  } else if (all.rank < layout.unknowns() && joints.rank == rank) {
    report(assembly, Status::NotIdentifiable, singular_finding(layout, all));
  }
}

namespace {

// The joint that stays open widest where joints and coordinates meet halfway; a coordinate only if
// all joints are closed.
int widest_joint(const Layout& layout, const VectorXd& gaps, const Closing& closing) {
  int widest = -1;
  double most = 1e-10;  // as Closing::closed()
  for (int i = 0; i < layout.constraints; ++i) {
    const double gap = std::abs(gaps(i)) * layout.row_scale[static_cast<std::size_t>(i)];
    if (gap <= most) continue;
    most = gap;
    widest = i;
  }
  return widest < 0 ? closing.worst_row : widest;
}

// What loses its hold in a position that is singular, or is next to one: the joints of each other,
// or the coordinates of the motion.
std::string singular_words(const Layout& layout, const MechanismState& state) {
  if (layout.constraints > 0) {
    Eigen::JacobiSVD<MatrixXd> svd;
    svd.compute(scaled_jacobian(layout, state, layout.constraints), Eigen::ComputeFullU);
    const VectorXd& s = svd.singularValues();
    if (s(s.size() - 1) <= kNearlySingular * s(0)) {
      return change_point_words(row_culprits(layout, row_norms(svd.matrixU().rightCols(1))));
    }
  }
  return singular_finding(layout, null_spaces(scaled_jacobian(layout, state, layout.rows()), 1))
      .message;
}

// Moves a state towards z and the parameters asked for as far as the same branch leads, to a share
// of 2^-30 of the way.
void go_as_far_as_possible(const Mechanism& mechanism, const VectorXd& z, MechanismState& state) {
  const VectorXd from = state.z;
  const VectorXd p_from = state.p_placed;
  const VectorXd p_goal = state.p_asked;
  double reached = 0.0;
  for (double part = 0.5; part > 1e-9; part *= 0.5) {
    MechanismState trial = state;
    const VectorXd goal = from + (reached + part) * (z - from);
    trial.p = p_from + (reached + part) * (p_goal - p_from);
    const std::span<const double> target(goal.data(), static_cast<std::size_t>(goal.size()));
    if (mechanism.solve_position(target, trial) != StepStatus::Success) continue;
    state = trial;
    reached += part;
  }
}

// The state with its points where the parameters asked for put them.
MechanismState with_points_asked_for(const Layout& layout, const MechanismState& state) {
  MechanismState asked = state;
  asked.p = state.p_asked;
  place_points(layout, asked);
  set_positions(layout, asked);
  return asked;
}

}  // namespace

std::string Mechanism::explain(StepStatus status, const Eigen::Ref<const VectorXd>& z,
                               const MechanismState& state) const {
  const Layout& layout = *layout_;
  switch (status) {
    case StepStatus::Success:
      return "";
    case StepStatus::NotFinite:
      return "a coordinate or parameter is not finite";
    case StepStatus::Singular: {
      MechanismState copy = with_points_asked_for(layout, state);
      (void)close_joints(layout, z, layout.rows(), copy);
      return singular_words(layout, copy);
    }
    case StepStatus::BranchChange: {
      MechanismState copy = state;
      go_as_far_as_possible(*this, z, copy);
      return fmt::format("the way to {} = {} passes a singular configuration to another branch: {}",
                         layout.row_names[static_cast<std::size_t>(layout.constraints)],
                         shortest(z(0)), singular_words(layout, copy));
    }
    case StepStatus::NotReached:
      break;
  }
  if (!state.positioned) return "the mechanism has not been assembled";
  MechanismState copy = with_points_asked_for(layout, state);
  const Closing closing = close_joints(layout, z, layout.rows(), copy);
  if (closing.closed()) return "the position exists, but no way on the same branch leads to it";
  copy.z = z;
  const VectorXd gaps = residual(copy);
  const auto row = static_cast<std::size_t>(widest_joint(layout, gaps, closing));
  return fmt::format("'{}' cannot be closed: it stays open by {:.3g} {}", layout.row_names[row],
                     std::abs(gaps(static_cast<Index>(row))),
                     layout.functions[row].is_length() ? "m" : "rad");
}

}  // namespace alembert::model::planar
