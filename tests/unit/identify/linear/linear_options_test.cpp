#include "alembert/identify/linear_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "linear_cases.hpp"

namespace alembert::identify {
namespace linear_options_test {

using testing::HasSubstr;

LinearOptions with(const model::OutputMap& outputs, Eigen::Index forces = 2) {
  return {.L = Eigen::MatrixXd::Identity(2, forces), .outputs = outputs};
}

std::string why(const LinearOptions& options) {
  try {
    (void)choose_start(options);
    check_compared(options);
  } catch (const InvalidInput& error) {
    return error.reason();
  }
  return "";
}

// Two displacements, one acceleration, a combination and a second sensor at q1.
TEST(LikeOutputs, AreTheLargestGroupInTheOrderOfTheCoordinates) {
  Eigen::MatrixXd displacement(5, 2);
  displacement << 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1.0, 0.0;
  Eigen::MatrixXd acceleration = Eigen::MatrixXd::Zero(5, 2);
  acceleration(2, 0) = 1.0;
  const LikeOutputs like = like_outputs({displacement, Eigen::MatrixXd::Zero(5, 2), acceleration});
  EXPECT_EQ(like.motion, model::Motion::Displacement);
  EXPECT_EQ(like.outputs, (std::vector<Eigen::Index>{1, 0}));
  EXPECT_EQ(like.coordinates, (std::vector<Eigen::Index>{0, 1}));
}

TEST(ChooseStart, FollowsSensorsAndForces) {
  const ChosenStart all = choose_start(with(test::all_sensed(2)));
  EXPECT_EQ(all.start, StartMethod::WeakForm);
  EXPECT_EQ(all.second, StartMethod::Subspace);
  EXPECT_EQ(all.second_with_gaps, StartMethod::Partial);
  // A subspace needs as many forces as coordinates.
  EXPECT_EQ(choose_start(with(test::all_sensed(2), 1)).second, StartMethod::Partial);
  EXPECT_EQ(choose_start(with(test::sensed(2, {1}))).start, StartMethod::Partial);
  LinearOptions asked = with(test::all_sensed(2));
  asked.start = StartMethod::WeakForm;
  EXPECT_FALSE(choose_start(asked).second);
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 2);
  LinearOptions relative = with({Eigen::RowVector2d(1.0, -1.0), none, none});
  EXPECT_THAT(why(relative), HasSubstr("give a nominal model"));
  relative.nominal = matrices_of(test::two_masses());
  EXPECT_EQ(choose_start(relative).start, StartMethod::Nominal);
}

// One displacement and one acceleration see both masses, but a start takes one kind at a time.
TEST(ChooseStart, NeedsAModelWhereNoKindOfMotionReachesAll) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(2, 2);
  Eigen::MatrixXd displacement = none;
  Eigen::MatrixXd acceleration = none;
  displacement(0, 0) = 1.0;
  acceleration(1, 1) = 1.0;
  LinearOptions mixed = with({displacement, none, acceleration}, 1);
  EXPECT_EQ(why(mixed),
            "start cannot be found for these sensors: it takes sensors of one kind, and with "
            "displacement alone q2 is neither sensed nor actuated: put a sensor or a force on it; "
            "or give a nominal model");
  // A coordinate that nothing sees or drives is another matter.
  EXPECT_EQ(why(with({displacement, none, none}, 1)), "");
  mixed.nominal = matrices_of(test::two_masses());
  EXPECT_EQ(choose_start(mixed).start, StartMethod::Nominal);
}

TEST(ChooseStart, SaysWhyAMethodCannotBeUsed) {
  LinearOptions options = with(test::all_sensed(2, model::Motion::Velocity));
  options.start = StartMethod::Companion;
  EXPECT_EQ(why(options),
            "start = \"companion\" needs displacements, the sensors measure velocity");
  options = with(test::all_sensed(2), 1);
  options.compare = {LinearMethod::Subspace};
  EXPECT_EQ(why(options), "compare \"subspace\" needs as many forces as coordinates, 2, got 1");
  options.compare = {LinearMethod::GreyBox};
  EXPECT_THAT(why(options), HasSubstr("needs a nominal model"));
}

// The main method alone, by the midpoint rule from a nominal model: nothing else has an effect.
TEST(UsesOfOptions, AreThoseOfTheMainMethod) {
  LinearOptions options = with(test::all_sensed(2));
  options.start = StartMethod::Nominal;
  options.nominal = matrices_of(test::two_masses());
  options.refinement.method = integrate::Method::Variational;
  EXPECT_TRUE(uses_start(options, StartMethod::Nominal));
  EXPECT_FALSE(uses_start(options, StartMethod::WeakForm));
  EXPECT_TRUE(uses_refinement(options));
  EXPECT_FALSE(uses_hold(options));
  EXPECT_FALSE(uses_gauss_stages(options));
  options.refine = false;
  EXPECT_FALSE(uses_refinement(options));
  options.refinement.method = integrate::Method::Exact;
  EXPECT_TRUE(uses_hold(options));  // of its prediction
}

TEST(UsesOfOptions, AreThoseOfComparedMethodsToo) {
  LinearOptions options = with(test::all_sensed(2));
  options.start = StartMethod::Companion;
  options.refine = false;
  options.refinement.method = integrate::Method::Variational;
  for (const EnumName<LinearMethod>& one : enum_names(LinearMethod{})) {
    options.compare = {one.value};
    const MethodSteps steps = steps_of(one.value);
    EXPECT_EQ(uses_refinement(options), steps.refine) << one.text;
    EXPECT_EQ(uses_gauss_stages(options), one.value == LinearMethod::Gauss) << one.text;
    EXPECT_EQ(has_subspace_step(one.value),
              steps.start == StartMethod::Subspace || steps.start == StartMethod::Companion)
        << one.text;
    if (steps.start) {
      EXPECT_TRUE(uses_start(options, *steps.start)) << one.text;
    }
  }
  for (const LinearMethod method :
       {LinearMethod::WeakForm, LinearMethod::GreyBox, LinearMethod::Exact, LinearMethod::Gauss}) {
    options.compare = {method};
    EXPECT_TRUE(uses_hold(options)) << name_of(method);
  }
  options.compare = {LinearMethod::CompanionMidpoint, LinearMethod::Midpoint};
  EXPECT_FALSE(uses_hold(options));
}

TEST(MethodNames, OldSpellingsAreKnown) {
  EXPECT_EQ(name_of(StartMethod::Companion), "companion");
  EXPECT_EQ(enum_named<StartMethod>("published"), StartMethod::Companion);
  EXPECT_EQ(enum_named<LinearMethod>("rival"), LinearMethod::Subspace);
  EXPECT_EQ(enum_named<LinearMethod>("published"), LinearMethod::CompanionMidpoint);
  EXPECT_FALSE(enum_named<LinearMethod>("magic"));
}

}  // namespace linear_options_test
}  // namespace alembert::identify
