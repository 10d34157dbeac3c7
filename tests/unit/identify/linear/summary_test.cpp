#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/identify/linear.hpp"
#include "linear_cases.hpp"

namespace alembert::identify {
namespace summary_test {

using testing::HasSubstr;
using testing::Not;

TEST(Summary, SaysWhatTheToolSays) {
  const std::string text = identify_linear(test::two_mass_records()).summary();
  for (const char* part :
       {"2 degrees of freedom, 2 forces, 2 displacements, 2000 samples at 100 Hz", "weak form",
        "iterations", "M, D, K positive definite", "+-", "damping %", "residuals white"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_NE(text.back(), '\n');
}

TEST(Summary, SaysWhatWentWrong) {
  Experiments data = test::two_mass_records();
  data.front().input.setZero();
  const LinearIdentification fit = identify_linear(data);
  EXPECT_FALSE(fit.ok());
  EXPECT_THAT(fit.summary(), HasSubstr("failed"));
  EXPECT_THAT(fit.summary(), HasSubstr(fit.message));
}

TEST(Summary, HasNoDeviationsWithoutRefinement) {
  const std::string text = identify_linear(test::two_mass_records(), {.refine = false}).summary();
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("iteration")));
}

TEST(RefineWords, NameRuleAndHold) {
  EXPECT_EQ(refine_words({}), "exact, cubic hold");
  EXPECT_EQ(refine_words({.method = integrate::Method::Variational}), "midpoint");
  EXPECT_EQ(
      refine_words({.method = integrate::Method::Gauss, .hold = signal::BetweenSamples::Held}),
      "gauss, 2 stages, zero hold");
}

}  // namespace summary_test
}  // namespace alembert::identify
