#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "core/algebra/dense.hpp"
#include "identify/to_continuous/force_distribution.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr double kWorstProjection = 1e13;

void fail(ProjectedMatrices& result, Status status, std::string message) {
  if (!result.ok()) return;
  result.status = status;
  result.message = std::move(message);
}

}  // namespace

double reciprocal_condition(const Eigen::Ref<const MatrixXd>& matrix) {
  if (!matrix.allFinite()) return 0.0;
  const Eigen::VectorXd values = dense::singular_values(MatrixXd(matrix));
  return values(0) > 0.0 ? values(values.size() - 1) / values(0) : 0.0;
}

void check_force_distribution(std::string_view function, const Eigen::Ref<const MatrixXd>& L,
                              Index coordinates) {
  check::shape(function, "L", L, coordinates, coordinates);
  check::all_finite(function, "L", L);
  const double reciprocal = reciprocal_condition(L);
  if (reciprocal < 1.0 / kWorstProjection) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "L",
                        .rule = "must be invertible",
                        .value = fmt::format("a condition of {:.1e}", 1.0 / reciprocal)});
  }
}

double antisymmetric_share(const Eigen::Ref<const MatrixXd>& matrix) {
  const double size = matrix.norm();
  return size > 0.0 ? 0.5 * (matrix - matrix.transpose()).norm() / size : 0.0;
}

std::string indefinite_matrices(const Matrices& matrices) {
  if (!matrices.M.allFinite() || !matrices.D.allFinite() || !matrices.K.allFinite()) return "";
  std::string names;
  const auto add = [&names](const char* name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  if (!definiteness(matrices.M).positive_definite) add("M");
  if (!definiteness(matrices.D).positive_semidefinite) add("D");
  if (!definiteness(matrices.K).positive_definite) add("K");
  return names;
}

ProjectedMatrices second_order_projection(const ContinuousModel& model,
                                          const Eigen::Ref<const MatrixXd>& L,
                                          MassScaling scaling) {
  const Index n = model.C.rows();
  const char* function = "second_order_projection";
  check::at_least(function, "number of outputs", n, 1);
  check::shape(function, "A", model.A, 2 * n, 2 * n);
  check::shape(function, "B", model.B, 2 * n, n);
  check_force_distribution(function, L, n);
  ProjectedMatrices result;
  result.status = model.status;
  result.message = model.message;
  MatrixXd T(2 * n, 2 * n);
  const MatrixXd CA = dense::times(model.C, model.A);
  T << model.C, CA;
  if (!T.allFinite() || reciprocal_condition(T) < 1.0 / kWorstProjection) {
    fail(result, Status::NotIdentifiable,
         "(C; C A) is singular: the outputs do not show all coordinates and their velocities");
    return result;
  }
  // (A21 A22) = C A² T⁻¹
  const MatrixXd lower = dense::right_solve(dense::times(CA, model.A), T);
  const MatrixXd A21 = lower.leftCols(n);
  const MatrixXd A22 = lower.rightCols(n);
  const bool markov = scaling == MassScaling::Markov;
  // M⁻¹ L = C A B, or M⁻¹ L = -A21 K⁻¹ L = -A21 (E - C A⁻¹ B)
  const MatrixXd inertia =
      markov ? dense::times(CA, model.B)
             : MatrixXd(-A21 * (model.E - dense::times(model.C, dense::solve(model.A, model.B))));
  if (!inertia.allFinite() || reciprocal_condition(inertia) < 1.0 / kWorstProjection) {
    fail(result, Status::NotIdentifiable,
         fmt::format("{} is singular: the inputs do not move all coordinates",
                     markov ? "C A B" : "the static gain"));
    return result;
  }
  const MatrixXd M = dense::right_solve(L, inertia);
  const MatrixXd D = -dense::times(M, A22);
  const MatrixXd K = -dense::times(M, A21);
  result.asymmetry =
      std::max({antisymmetric_share(M), antisymmetric_share(D), antisymmetric_share(K)});
  result.matrices = {symmetrised(M), symmetrised(D), symmetrised(K)};
  const std::string indefinite = indefinite_matrices(result.matrices);
  if (!indefinite.empty()) {
    fail(result, Status::Indefinite,
         fmt::format("not positive definite: {}; clip before use as a start", indefinite));
  }
  return result;
}

}  // namespace alembert::identify
