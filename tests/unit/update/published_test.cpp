#include "alembert/update/published.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/matrices_near.hpp"
#include "unit/update/models.hpp"

namespace alembert::update::published_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// With exact shapes the equations are linear and exact: as many modes as unknowns solve them.
TEST(PublishedUpdate, RecoversTheTruthFromExactModes) {
  const ParametricModel model = test_models::chain(4);
  VectorXd truth = model.nominal();
  truth(0) *= 1.2;
  truth(2) *= 0.8;
  truth(4) *= 1.1;
  RandomStream random(1);
  const MeasuredModes exact = test_models::measured_at(model, truth, 4, 0.0, 0.0, random);
  for (const bool preconditioned : {true, false}) {
    for (const bool normalised : {true, false}) {
      // All equations: five unknowns are more than four products.
      const PublishedUpdate found = published_update(model, exact.frequency_hz, exact.shapes,
                                                     {.regularisation = 1e-14,
                                                      .normalised = normalised,
                                                      .preconditioned = preconditioned,
                                                      .whole_equations = true});
      ASSERT_TRUE(found.ok()) << found.message;
      // The regularisation, and condition numbers of the normal equations.
      EXPECT_TRUE(test::matrices_near(found.parameters, truth, {.rel = 1e-4}));
    }
  }
}

// The products alone: φᵀKφ/φᵀMφ of the measured shapes is ω² at the parameters found, exactly.
TEST(PublishedUpdate, MakesRayleighQuotientsOfTheMeasuredShapesRight) {
  const ParametricModel model = test_models::chain(4);
  VectorXd truth = 1.05 * model.nominal();
  truth(1) *= 0.9;
  RandomStream random(1);
  const MeasuredModes noisy = test_models::measured_at(model, truth, 3, 0.01, 0.05, random);
  const PublishedUpdate found =
      published_update(model, noisy.frequency_hz, noisy.shapes, {.regularisation = 1e-13});
  ASSERT_TRUE(found.ok()) << found.message;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const VectorXd phi = noisy.shapes.col(i);
    const double quotient = phi.dot(stiffness_at(model, found.parameters) * phi) /
                            phi.dot(mass_at(model, found.parameters) * phi);
    const double omega = 2.0 * 3.14159265358979323846 * noisy.frequency_hz(i);
    EXPECT_NEAR(quotient, omega * omega, 1e-9 * omega * omega);  // the regularisation
  }
}

TEST(PublishedUpdate, StaysInsideItsBounds) {
  ParametricModel model = test_models::chain(4);
  for (ModelParameter& one : model.parameters) {
    one.lower = 0.95 * one.nominal;
    one.upper = 1.05 * one.nominal;
  }
  VectorXd truth = model.nominal();
  truth.head(4) *= 1.5;
  RandomStream random(1);
  const MeasuredModes exact = test_models::measured_at(model, truth, 4, 0.0, 0.0, random);
  const PublishedUpdate found = published_update(model, exact.frequency_hz, exact.shapes);
  EXPECT_NEAR(found.correction.maxCoeff(), 0.05, 1e-12);  // rounding
  EXPECT_LT(found.gap, 1e-12);
}

}  // namespace alembert::update::published_test
