#include "alembert/identify/alternatives.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linear_cases.hpp"

// A slip in the columns of a sound record is found and named; what the fit says then.
namespace alembert::identify::alternatives_test {
namespace {

using testing::HasSubstr;

std::string best(const Experiments& data, const LinearOptions& options = {}) {
  const std::vector<Alternative> found = find_alternatives(data, options);
  return found.empty() ? "none" : found.front().words;
}

// Readings `late` samples late: what is stamped k was there at k - late.
Experiments late_readings(Experiments data, Eigen::Index late) {
  for (Experiment& one : data) {
    const Eigen::Index kept = one.samples() - late;
    one.input = Eigen::MatrixXd(one.input.bottomRows(kept));
    one.output = Eigen::MatrixXd(one.output.topRows(kept));
  }
  return data;
}

Experiments early_readings(Experiments data, Eigen::Index early) {
  for (Experiment& one : data) {
    const Eigen::Index kept = one.samples() - early;
    one.input = Eigen::MatrixXd(one.input.topRows(kept));
    one.output = Eigen::MatrixXd(one.output.bottomRows(kept));
  }
  return data;
}

TEST(Alternatives, ASoundRecordHasNone) {
  for (const std::uint64_t seed : {11, 12, 13}) {
    EXPECT_EQ(best(test::two_mass_records(seed)), "none");
  }
}

TEST(Alternatives, FindAWrongSign) {
  Experiments data = test::two_mass_records();
  data.front().output.col(1) *= -1.0;
  EXPECT_EQ(best(data), "y2 with the opposite sign");
}

TEST(Alternatives, FindExchangedColumns) {
  Experiments data = test::two_mass_records();
  data.front().output.col(0).swap(data.front().output.col(1));
  // Exchanging the forces as well as the readings gives the same system in another order: both fit
  // alike, and the readings come first whatever rounding says.
  const std::vector<Alternative> found = find_alternatives(data, {});
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0].words, "y1 and y2 exchanged");
  EXPECT_EQ(found[1].words, "u1 and u2 exchanged");
  EXPECT_NEAR(found[0].gain / found[1].gain, 1.0, 1e-6);
}

TEST(Alternatives, FindAForceInThousands) {
  Experiments data = test::two_mass_records();
  data.front().input.col(0) *= 1e-3;
  EXPECT_EQ(best(data), "u1 times 1000");
}

TEST(Alternatives, FindDelaysOfAllOrOne) {
  EXPECT_EQ(best(late_readings(test::two_mass_records(), 2)), "all outputs 2 samples late");
  EXPECT_EQ(best(early_readings(test::two_mass_records(), 1)), "all outputs 1 sample early");
  Experiments one = test::two_mass_records();
  const Experiments shifted = late_readings(one, 3);
  Experiments kept = early_readings(one, 0);
  kept.front().input = shifted.front().input;
  kept.front().output = Eigen::MatrixXd(one.front().output.bottomRows(shifted.front().samples()));
  kept.front().output.col(1) = shifted.front().output.col(1);
  EXPECT_EQ(best(kept), "y2 3 samples late");
}

TEST(Alternatives, FindTheHold) {
  const Experiments data = {test::simulated_experiment(test::two_masses(), test::all_sensed(2),
                                                       {.samples = 2000,
                                                        .step = 0.02,
                                                        .snr_db = 40.0,
                                                        .hold = signal::BetweenSamples::Held,
                                                        .clock = 0.02},
                                                       3)};
  EXPECT_EQ(best(data), "hold = \"zero\" between samples");
  EXPECT_EQ(best(data, {.refinement = {.hold = signal::BetweenSamples::Held}}), "none");
}

TEST(Alternatives, FindTheExperimentThatContradictsTheOthers) {
  Experiments data = {test::two_mass_records(1).front(), test::two_mass_records(2).front(),
                      test::two_mass_records(3).front()};
  data[1].output *= -1.0;
  EXPECT_EQ(best(data), "leaving experiment 2 out");
}

TEST(Alternatives, AreTheSameForAnyNumberOfThreads) {
  Experiments data = late_readings(test::two_mass_records(), 2);
  const std::vector<Alternative> one = find_alternatives(data, {.threads = 1});
  const std::vector<Alternative> two = find_alternatives(data, {.threads = 2});
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].words, two[i].words);
    EXPECT_EQ(one[i].gain, two[i].gain);
  }
}

TEST(Alternatives, MakeTheVerdictBadAndSayWhatToCheck) {
  Experiments data = test::two_mass_records();
  data.front().output.col(1) *= -1.0;
  const LinearIdentification fit = identify_linear(data);
  EXPECT_EQ(fit.verdict.level, TrustLevel::Bad);
  EXPECT_THAT(fit.verdict.advice,
              testing::Contains(HasSubstr("try y2 with the opposite sign or u2 with "
                                          "the opposite sign")));
  const LinearIdentification without = identify_linear(data, {.alternatives = false});
  EXPECT_TRUE(without.alternatives.empty());
}

}  // namespace
}  // namespace alembert::identify::alternatives_test
