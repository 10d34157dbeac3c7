#include "alembert/update/parametric_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "support/message_of.hpp"
#include "unit/update/models.hpp"

namespace alembert::update::parametric_model_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(ParametricModel, MovesFromItsPoint) {
  ParametricModel model = test_models::chain(3);
  VectorXd p = model.nominal();
  p(1) *= 2.0;  // the spring between the first two masses, 850 N/m
  const MatrixXd change = MatrixXd(stiffness_at(model, p)) - MatrixXd(model.K);
  EXPECT_DOUBLE_EQ(change(0, 0), 850.0);
  EXPECT_DOUBLE_EQ(change(0, 1), -850.0);
  EXPECT_DOUBLE_EQ(change(2, 2), 0.0);
  // The same matrices said to be those at p: nothing changes there.
  model.point = p;
  EXPECT_DOUBLE_EQ((MatrixXd(stiffness_at(model, p)) - MatrixXd(model.K)).norm(), 0.0);
}

std::string refusal(const ParametricModel& model) {
  return test::message_of([&] { check_model(model); });
}

TEST(ParametricModel, NamesTheParameterThatIsWrong) {
  ParametricModel model = test_models::chain(3);
  model.parameters[1].lower = 5000.0;
  EXPECT_THAT(refusal(model), testing::HasSubstr("parameter 'k1': lower must be below upper"));
  model = test_models::chain(3);
  model.parameters[2].nominal = 1.0;
  EXPECT_THAT(refusal(model), testing::HasSubstr("parameter 'k2': nominal must lie between"));
  model = test_models::chain(3);
  model.parameters[2].name = "k1";
  EXPECT_THAT(refusal(model), testing::HasSubstr("'k1' twice"));
  model = test_models::chain(3);
  model.parameters[0].sigma = 0.0;
  EXPECT_THAT(refusal(model), testing::HasSubstr("parameter 'ground': sigma must be above 0"));
  model = test_models::chain(3);
  model.dK[0].setZero();
  EXPECT_THAT(refusal(model), testing::HasSubstr("parameter 'ground' changes neither M nor K"));
}

}  // namespace alembert::update::parametric_model_test
