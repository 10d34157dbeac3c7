#include "alembert/model/second_order.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::model {

namespace {

void check_force_distribution(const Eigen::MatrixXd& L) {
  if (L.cols() == 0) {
    return;
  }
  // Columns of unit length, so that a force in kN and one in N weigh the same.
  const Eigen::RowVectorXd length = L.colwise().norm();
  for (Eigen::Index column = 0; column < L.cols(); ++column) {
    if (length(column) == 0.0) {
      throw InvalidInput({.function = "check_second_order",
                          .argument = "L",
                          .rule = "must have independent columns",
                          .value = fmt::format("zeros in column {}", column + 1)});
    }
  }
  const Eigen::MatrixXd unit = L * length.cwiseInverse().asDiagonal();
  const Eigen::Index rank = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(unit).rank();
  if (rank < L.cols()) {
    throw InvalidInput({.function = "check_second_order",
                        .argument = "L",
                        .rule = "must have independent columns",
                        .value = fmt::format("rank {} of {}", rank, L.cols())});
  }
}

void check_square(std::string_view function, std::string_view name, const Eigen::MatrixXd& matrix,
                  Eigen::Index n) {
  check::shape(function, name, matrix, n, n);
  check::all_finite(function, name, matrix);
  check::symmetric(function, name, matrix);
}

}  // namespace

Definiteness scaled_definiteness(const Eigen::Ref<const Eigen::MatrixXd>& symmetric) {
  Definiteness result = definiteness(symmetric);
  // Congruence keeps the signs of eigenvalues and takes the units away.
  const Eigen::VectorXd scale = symmetric.diagonal().unaryExpr(
      [](double entry) { return entry == 0.0 ? 1.0 : 1.0 / std::sqrt(std::abs(entry)); });
  const Definiteness scaled = definiteness(dense::scaled(symmetric, scale));
  result.positive_definite = scaled.positive_definite;
  result.positive_semidefinite = scaled.positive_semidefinite;
  return result;
}

bool SecondOrderCheck::passive() const {
  return mass.positive_definite && damping.positive_semidefinite && stiffness.positive_semidefinite;
}

void check_matrices(std::string_view function, const SecondOrder& system) {
  const Eigen::Index n = system.M.rows();
  check::at_least(function, "number of coordinates (rows of M)", n, 1);
  check_square(function, "M", system.M, n);
  check_square(function, "D", system.D, n);
  check_square(function, "K", system.K, n);
  check::shape(function, "L", system.L, n, system.L.cols());
  check::all_finite(function, "L", system.L);
}

SecondOrderCheck check_second_order(const SecondOrder& system) {
  check_matrices("check_second_order", system);
  const SecondOrderCheck result{.mass = scaled_definiteness(system.M),
                                .damping = scaled_definiteness(system.D),
                                .stiffness = scaled_definiteness(system.K)};
  if (!result.mass.positive_definite) {
    throw InvalidInput({.function = "check_second_order",
                        .argument = "M",
                        .rule = "must be positive definite",
                        .value = fmt::format("smallest eigenvalue {}", result.mass.smallest)});
  }
  check_force_distribution(system.L);
  return result;
}

void check_outputs(std::string_view function, const OutputMap& outputs,
                   Eigen::Index degrees_of_freedom) {
  const Eigen::Index rows = outputs.outputs();
  check::shape(function, "output map displacement", outputs.displacement, rows, degrees_of_freedom);
  check::shape(function, "output map velocity", outputs.velocity, rows, degrees_of_freedom);
  check::shape(function, "output map acceleration", outputs.acceleration, rows, degrees_of_freedom);
  check::all_finite(function, "output map displacement", outputs.displacement);
  check::all_finite(function, "output map velocity", outputs.velocity);
  check::all_finite(function, "output map acceleration", outputs.acceleration);
}

OutputMap output_map(Eigen::Index degrees_of_freedom, const std::vector<OutputChoice>& choices) {
  check::at_least("output_map", "degrees_of_freedom", degrees_of_freedom, 1);
  const Eigen::Index rows = static_cast<Eigen::Index>(choices.size());
  OutputMap map;
  map.displacement = Eigen::MatrixXd::Zero(rows, degrees_of_freedom);
  map.velocity = map.displacement;
  map.acceleration = map.displacement;
  for (Eigen::Index row = 0; row < rows; ++row) {
    const OutputChoice& choice = choices[static_cast<std::size_t>(row)];
    if (choice.coordinate < 0 || choice.coordinate >= degrees_of_freedom) {
      throw InvalidInput({.function = "output_map",
                          .item = fmt::format("coordinate of choice {}", row + 1),
                          .rule = fmt::format("must be in [0, {}]", degrees_of_freedom - 1),
                          .value = fmt::format("{}", choice.coordinate)});
    }
    Eigen::MatrixXd& matrix = choice.motion == Motion::Displacement ? map.displacement
                              : choice.motion == Motion::Velocity   ? map.velocity
                                                                    : map.acceleration;
    matrix(row, choice.coordinate) = 1.0;
  }
  return map;
}

StateSpace state_space(const SecondOrder& system, const OutputMap& outputs) {
  check_matrices("state_space", system);
  const Eigen::Index n = system.degrees_of_freedom();
  check_outputs("state_space", outputs, n);
  const Eigen::LLT<Eigen::MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success) {
    throw InvalidInput({.function = "state_space",
                        .argument = "M",
                        .rule = "must be positive definite",
                        .value = "a matrix without Cholesky factor"});
  }
  // M⁻¹ (K D L) at once
  const Eigen::Index m = system.inputs();
  Eigen::MatrixXd solved(n, 2 * n + m);
  solved << system.K, system.D, system.L;
  mass.solveInPlace(solved);
  StateSpace form;
  form.A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  form.A.topRightCorner(n, n).setIdentity();
  form.A.bottomRows(n) = -solved.leftCols(2 * n);
  form.B = Eigen::MatrixXd::Zero(2 * n, m);
  if (m > 0) {
    form.B.bottomRows(n) = solved.rightCols(m);
  }
  // q'' = A21 q + A22 q' + B2 u, hence C = (Cq Cv) + Ca (A21 A22), E = Ca B2
  form.C = outputs.acceleration * form.A.bottomRows(n);
  form.C.leftCols(n) += outputs.displacement;
  form.C.rightCols(n) += outputs.velocity;
  form.E = outputs.acceleration * solved.rightCols(m);
  return form;
}

StateSpace state_space(const SecondOrder& system) {
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::MatrixXd none(0, n);
  return state_space(system, {none, none, none});
}

}  // namespace alembert::model
