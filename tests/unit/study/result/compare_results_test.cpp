#include "alembert/study/result/compare_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"

namespace alembert::study {
namespace compare_results_test {

using test::kEps;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kPendulum = R"({
  "format": "alembert-result-2", "version": "0.1.0", "task": "identify", "method": "output-error",
  "title": "Pendulum", "status": "success",
  "verdict": {"level": "caution", "reasons": ["few samples"], "advice": ["measure longer"]},
  "settings": {"identify": {"start": "free", "starts": 4}, "data": {"skip": 0}},
  "parameters": [
    {"name": "l", "unit": "m", "role": "free", "value": 1.02, "margin": 0.03},
    {"name": "c", "unit": "1/s", "role": "free", "value": 0.4, "margin": null},
    {"name": "g", "unit": "m/s^2", "role": "fixed", "value": 9.81, "margin": null}],
  "outputs": [{"name": "angle", "unit": "rad", "fit": 97.5, "residual_rms": 0.01}],
  "experiments": [{"source": "swing.csv", "prediction": {"file": "prediction.csv"}}]})";

ResultSummary summary_of(const TemporaryFolder& folder, const std::string& text) {
  folder.write("result.json", text);
  return read_result_summary(folder.path());
}

ResultSummary with_quantity(double value, double margin) {
  ResultSummary summary;
  summary.quantities = {{"k", "N/m", value, margin}};
  return summary;
}

ResultSummary with_modes(std::vector<ResultMode> modes) {
  ResultSummary summary;
  summary.modes = std::move(modes);
  return summary;
}

TEST(ReadResultSummary, HoldsWhatTheResultSays) {
  const TemporaryFolder folder;
  const ResultSummary found = summary_of(folder, kPendulum);
  EXPECT_EQ(found.task, "identify");
  EXPECT_EQ(found.method, "output-error");
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(found.verdict.reasons, ElementsAre("few samples"));
  EXPECT_THAT(found.sources, ElementsAre("swing.csv"));
  ASSERT_EQ(found.quantities.size(), 3U);
  EXPECT_EQ(found.quantities[0].unit, "m");
  EXPECT_EQ(found.quantities[0].margin, 0.03);
  EXPECT_TRUE(std::isnan(found.quantities[1].margin));
  EXPECT_EQ(found.quantities[2].margin, 0.0) << "a fixed parameter was given";
  ASSERT_EQ(found.fits.size(), 1U);
  EXPECT_EQ(found.fits[0].fit, 97.5);
  // The file that the result names is not there.
  EXPECT_EQ(found.signals, "");
  EXPECT_FALSE(read_result_signals(found));
}

// Half of a 95 % interval of a normal distribution is 1.959964 deviations (tables, 7 digits).
TEST(ReadResultSummary, DeviationsBecomeMargins) {
  const TemporaryFolder folder;
  const ResultSummary found = summary_of(folder, R"({
    "format": "alembert-result-2", "task": "identify",
    "unknowns": [{"name": "k1", "value": 100.0, "deviation": 2.0}],
    "model": {"modes": [{"frequency_hz": 4.0, "frequency_deviation": 0.5, "damping_ratio": 0.02,
                         "damping_deviation": null}]}})");
  ASSERT_EQ(found.quantities.size(), 1U);
  EXPECT_NEAR(found.quantities[0].margin, 2.0 * 1.959964, 2e-6);
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_NEAR(found.modes[0].frequency_margin, 0.5 * 1.959964, 1e-6);
  EXPECT_TRUE(std::isnan(found.modes[0].damping_margin));
}

// The motion of an experiment is read back; a path out of the folder is not followed.
TEST(ReadResultSummary, SignalsAreFilesOfTheFolder) {
  const TemporaryFolder folder;
  folder.write("prediction.csv", "t,angle,angle_predicted\n0,1,2\n0.5,3,4\n");
  const ResultSummary found = summary_of(folder, kPendulum);
  EXPECT_EQ(found.signals, "prediction.csv");
  const auto signals = read_result_signals(found);
  ASSERT_TRUE(signals);
  EXPECT_EQ(signals->samples()(1, 1), 4.0);
  const ResultSummary outside = summary_of(folder, R"({"format": "alembert-result-2",
    "task": "observe", "estimates": {"file": "../prediction.csv"}})");
  EXPECT_EQ(outside.signals, "");
}

TEST(ReadResultSummary, RefusesWhatIsNoResult) {
  const TemporaryFolder folder;
  const auto message = [&] {
    try {
      static_cast<void>(read_result_summary(folder.path()));
    } catch (const DataError& error) {
      return error.reason();
    }
    return std::string();
  };
  EXPECT_THAT(message(), HasSubstr("holds no result.json"));
  for (const std::string text : {"", "[", "[1]", "{\"format\": \"other-1\"}"}) {
    folder.write("result.json", text);
    EXPECT_THAT(message(), HasSubstr("is no result of Alembert")) << text;
  }
}

// Entries of a wrong type are as good as absent.
TEST(ReadResultSummary, BearsEntriesOfOtherTypes) {
  const TemporaryFolder folder;
  const ResultSummary found = summary_of(folder, R"({
    "format": "alembert-result-2", "task": "identify", "method": "output-error", "verdict": 7,
    "parameters": [3, {"name": 1, "value": "x"}, {"name": "k", "value": 2}], "outputs": {"a": 1},
    "experiments": [[]], "settings": []})");
  ASSERT_EQ(found.quantities.size(), 1U);
  EXPECT_EQ(found.quantities[0].name, "k");
  EXPECT_TRUE(found.fits.empty());
  EXPECT_TRUE(found.sources.empty());
}

// Margins of 3 and 4 leave 5 for the difference.
TEST(CompareResults, NumbersAgreeWithinTheJointInterval) {
  const auto agreement = [](double second) {
    return compare_results(with_quantity(100.0, 3.0), with_quantity(second, 4.0)).quantities.at(0);
  };
  EXPECT_NEAR(agreement(104.0).limit, 5.0, 8 * kEps);
  EXPECT_EQ(agreement(104.9).agreement, Agreement::Agree);
  EXPECT_EQ(agreement(95.1).agreement, Agreement::Agree);
  EXPECT_EQ(agreement(105.1).agreement, Agreement::Differ);
  EXPECT_EQ(agreement(94.9).agreement, Agreement::Differ);
  EXPECT_EQ(agreement(105.0).difference, 5.0);
}

TEST(CompareResults, WithoutAnIntervalNothingIsClaimed) {
  const double unknown = std::nan("");
  const ResultComparison found =
      compare_results(with_quantity(1.0, unknown), with_quantity(2.0, 0.1));
  EXPECT_EQ(found.quantities.at(0).agreement, Agreement::Unknown);
  EXPECT_THAT(agreement_words(found), HasSubstr("none with an interval in both"));
}

TEST(CompareResults, AGivenNumberIsWithinTheIntervalOfTheOther) {
  EXPECT_EQ(
      compare_results(with_quantity(9.81, 0.0), with_quantity(9.7, 0.2)).quantities.at(0).agreement,
      Agreement::Agree);
}

TEST(CompareResults, NamesWhatOnlyOneHas) {
  ResultSummary first = with_quantity(1.0, 0.1);
  ResultSummary second = first;
  second.quantities[0].name = "d";
  const ResultComparison found = compare_results(first, second);
  EXPECT_THAT(found.only_first, ElementsAre("k"));
  EXPECT_THAT(found.only_second, ElementsAre("d"));
  EXPECT_EQ(agreement_words(found), "The two results have no number in common.");
}

// The second result has one more mode below: pairs go by frequency.
TEST(CompareResults, ModesArePairedByFrequency) {
  const ResultComparison found = compare_results(
      with_modes({{4.0, 0.1, 0.02, 0.01}, {9.0, 0.1, 0.03, 0.01}}),
      with_modes({{2.0, 0.1, 0.01, 0.01}, {4.1, 0.1, 0.02, 0.01}, {9.3, 0.1, 0.03, 0.01}}));
  ASSERT_EQ(found.quantities.size(), 4U);
  EXPECT_EQ(found.quantities[0].second.name, "frequency 2");
  EXPECT_EQ(found.quantities[0].agreement, Agreement::Agree);   // 0.10 of 0.14
  EXPECT_EQ(found.quantities[2].agreement, Agreement::Differ);  // 0.30 of 0.14
  EXPECT_EQ(found.quantities[1].first.name, "damping ratio 1");
  EXPECT_THAT(found.only_second, ElementsAre("mode at 2 Hz"));
  EXPECT_THAT(agreement_words(found), HasSubstr("3 of 4 numbers"));
  EXPECT_THAT(agreement_words(found), HasSubstr("these differ: frequency 2"));
}

// Modes farther apart than 10 % are two modes; exchanging the results changes no pair.
TEST(CompareResults, DistantModesAreNoPair) {
  const auto one = with_modes({{4.0, 0.1, 0.02, 0.01}});
  const auto other = with_modes({{4.5, 0.1, 0.02, 0.01}});
  const ResultComparison found = compare_results(one, other);
  EXPECT_TRUE(found.quantities.empty());
  EXPECT_THAT(found.only_first, ElementsAre("mode at 4 Hz"));
  EXPECT_EQ(compare_results(other, one).only_first, found.only_second);
}

TEST(CompareResults, SettingsThatDifferAndSameData) {
  const TemporaryFolder folder;
  const ResultSummary first = summary_of(folder, kPendulum);
  ResultSummary second = first;
  for (auto& [key, value] : second.settings) {
    if (key == "identify.starts") value = "8";
  }
  second.settings.emplace_back("identify.seed", "3");
  const ResultComparison found = compare_results(first, second);
  ASSERT_EQ(found.settings.size(), 2U);
  EXPECT_EQ(found.settings[0].key, "identify.starts");
  EXPECT_EQ(found.settings[0].first, "4");
  EXPECT_EQ(found.settings[0].second, "8");
  EXPECT_EQ(found.settings[1].first, "");
  EXPECT_TRUE(found.same_data);
  second.sources = {"other.csv"};
  EXPECT_FALSE(compare_results(first, second).same_data);
}

}  // namespace compare_results_test
}  // namespace alembert::study
