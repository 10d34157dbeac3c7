#include "alembert/identify/model_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace model_comparison_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

// x' = k (u - x) inside x' = k (u - x) + b sin(w x): b = 0 makes them equal.
const test_texts::Truth kSmall{.equations = "x' = k*(u - x)\ny = x",
                               .inputs = {"u"},
                               .outputs = {"y"},
                               .parameters = {{"k", 2.0}},
                               .starts = {{"x", "0"}}};
const test_texts::Truth kLarge{.equations = "x' = k*(u - x) + b*sin(w*x)\ny = x",
                               .inputs = {"u"},
                               .outputs = {"y"},
                               .parameters = {{"k", 2.0}, {"b", 0.0}, {"w", 1.0}},
                               .starts = {{"x", "0"}}};

Experiments record() {
  return {test_texts::measured(kSmall, test_texts::random_levels(200, 10, 2.0, 5), 0.05, 0.05, 7)};
}

// A start from which the larger model ends in a bad optimum: its own guesses put it there.
std::vector<optimize::Parameter> misleading() {
  return {{.name = "k", .guess = 0.3, .lower = 0.0, .upper = 10.0},
          {.name = "b", .guess = 30.0, .lower = -50.0, .upper = 50.0},
          {.name = "w", .guess = 20.0, .lower = 0.1, .upper = 40.0}};
}

const OutputErrorOptions kPlain{.strategy = StartStrategy::Plain};

struct Pair {
  model::CompiledEquations small = test_texts::compiled(kSmall);
  model::CompiledEquations large = test_texts::compiled(kLarge);

  [[nodiscard]] std::vector<ModelCandidate> candidates(bool nested) const {
    std::vector<ModelCandidate> both{
        {.name = "small", .equations = &small, .parameters = {{.name = "k", .guess = 1.0}}},
        {.name = "large", .equations = &large, .parameters = misleading()}};
    if (nested) both[1].inside = {{.index = 0, .values = {{"b", 0.0}, {"w", 1.0}}}};
    return both;
  }
};

TEST(CompareModels, ALargerModelIsNeverWorse) {
  const Pair pair;
  const Experiments data = record();
  // Without the start from the smaller one it is worse: this is what the comparison mends.
  const std::vector<ComparedModel> apart = compare_models(pair.candidates(false), data, kPlain);
  ASSERT_GT(apart[1].misfit, 1.1 * apart[0].misfit);
  const std::vector<ComparedModel> nested = compare_models(pair.candidates(true), data, kPlain);
  EXPECT_LE(nested[1].misfit, nested[0].misfit);
  EXPECT_LE(nested[1].over_smaller, 1.0);
  EXPECT_EQ(nested[1].from, 0u);
  EXPECT_EQ(nested[0].from, std::nullopt);
  EXPECT_TRUE(nested_in_order(nested));
}

TEST(CompareModels, MisfitIsTheRmsOfOneOutput) {
  const Pair pair;
  const std::vector<ComparedModel> found = compare_models(pair.candidates(true), record(), kPlain);
  EXPECT_NEAR(found[0].misfit, found[0].fit.prediction.rms(0), 1e-15);
}

TEST(NestedInOrder, SeesAModelThatIsWorse) {
  ComparedModel worse;
  worse.over_smaller = 1.01;
  EXPECT_TRUE(nested_in_order({ComparedModel{}}));
  EXPECT_FALSE(nested_in_order({ComparedModel{}, worse}));
  EXPECT_TRUE(nested_in_order({ComparedModel{}, worse}, 0.02));
}

TEST(CompareModels, RefusesAParameterWithoutValueAndAModelBehind) {
  const Pair pair;
  std::vector<ModelCandidate> candidates = pair.candidates(true);
  candidates[1].inside[0].values.pop_back();
  EXPECT_THAT([&] { (void)compare_models(candidates, record(), kPlain); },
              ThrowsMessage<InvalidInput>(HasSubstr("'w' has no value in the smaller model")));
  candidates = pair.candidates(true);
  candidates[1].inside[0].index = 1;
  EXPECT_THAT([&] { (void)compare_models(candidates, record(), kPlain); },
              ThrowsMessage<InvalidInput>(HasSubstr("must come before")));
}

}  // namespace model_comparison_test
}  // namespace alembert::identify
