#include "alembert/identify/mechanism/mechanism_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify {
namespace mechanism_parameters_test {

using test::message_of;
using testing::HasSubstr;

// Two bodies of 4 numbers, two passive forces of 7 (none has a breakaway), two gains, two offsets.
TEST(MechanismParameters, EveryNumberHasAName) {
  EXPECT_EQ(mechanism_parameters(arms::two_link()).size(), 8U + 14U + 2U + 2U);
}

TEST(MechanismParameters, EachNameSetsItsOwnNumberAndNoOther) {
  const model::planar::MechanismDescription arm = arms::two_link();
  const std::vector<MechanismParameter> before = mechanism_parameters(arm);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Eigen::VectorXd wanted = Eigen::VectorXd::Constant(1, 0.625);
    const MechanismValues changed = with_parameters(values_of(arm), {before[i].name}, wanted);
    const std::vector<MechanismParameter> after = mechanism_parameters(changed.description);
    const bool outside = before[i].name.find(".gain") != std::string::npos;
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (outside) continue;  // the description has no gains
      EXPECT_EQ(after[j].value, i == j ? 0.625 : before[j].value) << before[j].name;
    }
    if (outside) {
      EXPECT_EQ((changed.gains.array() == 0.625).count(), 1) << before[i].name;
    }
  }
}

TEST(MechanismParameters, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_THAT(message_of([] { (void)mechanism_parameter(arms::two_link(), "uper.mass"); }),
              HasSubstr("upper.mass"));
}

TEST(MechanismParameters, WhatCannotBeNegativeHasZeroForItsLowerBound) {
  EXPECT_EQ(unknown_parameter(arms::two_link(), "upper.inertia").lower, 0.0);
  EXPECT_LT(unknown_parameter(arms::two_link(), "lower.centre.y").lower, -1e300);
}

}  // namespace mechanism_parameters_test
}  // namespace alembert::identify
