#include "identify/weak_form/weak_solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"

namespace alembert::identify {
namespace weak_solve_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using testing::HasSubstr;

MatrixXd gaussian(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd matrix(rows, columns);
  for (Index j = 0; j < columns; ++j) matrix.col(j) = random.normal_vector(rows);
  return matrix;
}

std::vector<std::string> names_of(Index size) {
  std::vector<std::string> names;
  for (Index i = 0; i < size; ++i) names.push_back("p" + std::to_string(i + 1));
  return names;
}

TEST(SolveWeakSystem, FindsTheUnknownsWhateverTheirUnits) {
  for (const double unit : {1.0, 1e-8, 1e8}) {
    VectorXd units = VectorXd::Ones(6);
    units.tail(3).setConstant(unit);
    const MatrixXd root = gaussian(9, 6, 1) * units.asDiagonal();
    const VectorXd truth = gaussian(6, 1, 2).cwiseQuotient(units);
    WeakSystem system;
    system.A = root.transpose() * root;
    system.b = system.A * truth;
    const VectorXd d = system.A.diagonal().cwiseSqrt().cwiseInverse();
    VectorXd theta;
    const Outcome outcome = solve_weak_system(system, d, names_of(6), theta);
    ASSERT_TRUE(outcome.ok()) << outcome.message;
    // The condition of the scaled matrix is below 1e4.
    EXPECT_LE((theta - truth).cwiseProduct(units).norm(), 1e5 * kEps);
  }
}

TEST(SolveWeakSystem, NamesAnUnknownThatIsLost) {
  MatrixXd root = gaussian(9, 4, 3);
  root.col(2) = 2.0 * root.col(0);
  WeakSystem system;
  system.A = root.transpose() * root;
  system.b = VectorXd::Ones(4);
  const VectorXd d = system.A.diagonal().cwiseSqrt().cwiseInverse();
  VectorXd theta;
  const Outcome outcome = solve_weak_system(system, d, names_of(4), theta);
  EXPECT_EQ(outcome.status, Status::NotIdentifiable);
  EXPECT_THAT(outcome.message, HasSubstr("rank 3 of 4"));
  EXPECT_THAT(outcome.message, testing::AnyOf(HasSubstr("p1 first"), HasSubstr("p3 first")));
}

TEST(SolveWeakSystem, NumbersThatAreNone) {
  WeakSystem system;
  system.A = MatrixXd::Identity(2, 2);
  system.b = VectorXd::Ones(2);
  system.b(1) = std::numeric_limits<double>::quiet_NaN();
  VectorXd theta;
  EXPECT_EQ(solve_weak_system(system, VectorXd::Ones(2), names_of(2), theta).status,
            Status::NotFinite);
}

// The smallest eigenvalue of the pencil by the dense solver of all eigenvalues.
TEST(SolveWeakPencil, AgreesWithTheDenseEigenSolver) {
  for (const Index size : {2, 5, 40, 120}) {
    const MatrixXd a = gaussian(size + 5, size, 4);
    const MatrixXd b = gaussian(size + 5, size, 5);
    WeakPencil pencil;
    pencil.residual = a.transpose() * a;
    pencil.noise = b.transpose() * b;
    VectorXd theta;
    ASSERT_TRUE(solve_weak_pencil(pencil, theta));
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense(pencil.residual, pencil.noise);
    const VectorXd x = dense.eigenvectors().col(0);
    const VectorXd expected = x.head(size - 1) / x(size - 1);
    // Lanczos stops at 1e-9 of the eigenvalue; the gap to the next divides that.
    EXPECT_LE((theta - expected).norm(), 1e-5 * expected.norm()) << size;
  }
}

TEST(SolveWeakPencil, RefusesAnIndefiniteResidual) {
  WeakPencil pencil;
  pencil.residual = -MatrixXd::Identity(3, 3);
  pencil.noise = MatrixXd::Identity(3, 3);
  VectorXd theta;
  EXPECT_FALSE(solve_weak_pencil(pencil, theta));
}

}  // namespace weak_solve_test
}  // namespace alembert::identify
