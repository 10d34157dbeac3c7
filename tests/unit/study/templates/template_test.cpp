#include "alembert/study/detail/template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/acceleration.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "alembert/study/modes.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/records/state_space.hpp"
#include "alembert/study/reduce.hpp"
#include "alembert/study/repeat.hpp"
#include "alembert/study/responses/frf.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"

namespace alembert::study {
namespace template_test {

using testing::HasSubstr;

signal::Record forces(Eigen::Index channels, double step) {
  std::vector<signal::Channel> names;
  for (Eigen::Index c = 0; c < channels; ++c) {
    names.push_back({.name = "F \"" + std::to_string(c) + "\"", .unit = c == 0 ? "kN" : ""});
  }
  Eigen::MatrixXd samples(50, channels);
  for (Eigen::Index k = 0; k < 50; ++k) {
    for (Eigen::Index c = 0; c < channels; ++c) {
      samples(k, c) = std::sin(0.3 * static_cast<double>(k * (c + 1)));
    }
  }
  return {signal::TimeAxis::uniform(50, step), names, samples};
}

TEST(StudyTemplate, EveryKindPassesCheckAndRuns) {
  for (const TemplateKind& kind : template_kinds()) {
    if (kind.name == "identify") {
      // Without data there is nothing to run on; all that needs no file must be right.
      EXPECT_NO_THROW(check_text(study_template(kind.name), "new.toml"));
      continue;
    }
    const test::TemporaryFolder folder;
    const std::optional<signal::Record> record = template_record(kind.name);
    if (record) io::write_record(folder.path() / "record.csv", *record);
    const LoadedStudy loaded =
        load_study_text(study_template(kind.name), folder.path() / "new.toml");
    ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
    const Machines machines;
    if (loaded.as<MonteCarloStudy>()) {
      MonteCarloStudy study = *loaded.as<MonteCarloStudy>();
      study.runs = 1;
      EXPECT_EQ(study.points.size(), 4U);
      EXPECT_TRUE(run_monte_carlo(study, machines).ok());
      continue;
    }
    if (loaded.as<RepeatStudy>()) {
      RepeatStudy study = *loaded.as<RepeatStudy>();
      study.runs = 2;
      EXPECT_EQ(study.points.size(), 2U) << kind.name;
      const RepeatResult found = run_repeat(study, machines);
      EXPECT_TRUE(found.ok()) << kind.name << ": " << found.message;
      EXPECT_EQ(found.runs.size(), 4U) << kind.name;
      continue;
    }
    if (loaded.as<OutputErrorStudy>()) {
      const OutputErrorOutcome found = run_output_error(*loaded.as<OutputErrorStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
      // The truth of the record: omega, zeta, gain, y0, the last where the start is not free.
      const double truth[] = {3.0, 0.08, 2.0, 0.3};
      ASSERT_GE(found.parameters.size(), 3U);
      for (std::size_t i = 0; i < found.parameters.size(); ++i) {
        const identify::ParameterVerdict one = parameter_verdict(found, i);
        EXPECT_NEAR(one.value, truth[i], 4.0 * one.deviation);
      }
      continue;
    }
    if (loaded.as<AccelerationStudy>()) {
      const AccelerationOutcome found = run_acceleration(*loaded.as<AccelerationStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
      const double truth[] = {0.3, 400.0, 3e4};  // a, b, c of the record
      const identify::RefinedEquation& refined = *found.records.front().refined;
      for (Eigen::Index i = 0; i < 3; ++i) {
        EXPECT_NEAR(refined.parameters(i), truth[i], 4.0 * refined.deviations(i));
      }
      continue;
    }
    if (loaded.as<ObserveStudy>()) {
      const ObserveResult found = run_observe(*loaded.as<ObserveStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
      continue;
    }
    if (loaded.as<ModesStudy>()) {
      const ModesOutcome found = run_modes(*loaded.as<ModesStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_EQ(found.verdict.level, TrustLevel::Good);
      // The record is that of three masses, damped by 1 % each.
      ASSERT_EQ(found.modes.size(), 3U);
      for (const identify::Mode& mode : found.modes) {
        EXPECT_NEAR(mode.damping_ratio, 0.01, 4.0 * mode.damping_deviation);
      }
      continue;
    }
    if (loaded.as<StateSpaceStudy>()) {
      const StateSpaceOutcome found = run_state_space(*loaded.as<StateSpaceStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      // Three masses have six states; forces that bend between samples may ask for more.
      EXPECT_GE(found.found.model.F.rows(), 6);
      EXPECT_GT(found.found.validation->worst_fit(), 90.0);
      continue;
    }
    if (loaded.as<ReduceStudy>()) {
      const ReduceOutcome found = run_reduce(*loaded.as<ReduceStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_EQ(found.verdict.level, TrustLevel::Good);
      continue;
    }
    if (loaded.as<FrfStudy>()) {
      const FrfOutcome found = run_frf(*loaded.as<FrfStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_NE(found.verdict.level, TrustLevel::Bad);
      continue;
    }
    if (loaded.as<MechanismFitStudy>()) {
      const MechanismFitOutcome found = run_mechanism_fit(*loaded.as<MechanismFitStudy>());
      EXPECT_TRUE(found.ok()) << found.message;
      EXPECT_EQ(found.verdict.level, TrustLevel::Good);
      continue;
    }
    ASSERT_NE(loaded.as<SimulateStudy>(), nullptr) << kind.name;
    const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines);
    EXPECT_TRUE(result.ok()) << result.message;
    EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  }
}

TEST(StudyTemplate, OutputErrorTakesColumnsOfTheData) {
  const signal::Record drawn = forces(3, 0.01);
  const TemplateData data{
      .file = "a.csv",
      .record = {drawn.time(), {{"x", "mm"}, {"noise"}, {"F", "N"}}, drawn.samples()}};
  const std::string text = study_template("output-error", data);
  EXPECT_THAT(text, HasSubstr("file = \"a.csv\""));
  EXPECT_THAT(text, HasSubstr("inputs = { u = \"F\" }"));
  EXPECT_THAT(text, HasSubstr("outputs = { y = \"x\" }"));
  EXPECT_THAT(text, HasSubstr("x: displacement (by its unit mm); noise: not known; F: force"));
  EXPECT_NO_THROW(check_text(text, "new.toml"));
  // Forces are no motion.
  EXPECT_THROW(
      (void)study_template("output-error", TemplateData{.file = "f", .record = forces(3, 0.01)}),
      DataError);
  EXPECT_THROW(
      (void)study_template("output-error", TemplateData{.file = "f", .record = forces(1, 0.01)}),
      DataError);
}

TEST(StudyTemplate, IsFilledFromDataAndRuns) {
  const test::TemporaryFolder folder;
  for (const Eigen::Index channels : {1, 3, 20}) {
    const TemplateData data{.file = "forces.h5", .record = forces(channels, 0.002)};
    io::write_record(folder.path() / "forces.h5", data.record);
    const std::string text = study_template("simulate", data);
    const LoadedStudy loaded = load_study_text(text, folder.path() / "new.toml");
    ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front()) << text;
    EXPECT_EQ(loaded.as<SimulateStudy>()->step, 0.002);
    EXPECT_EQ(loaded.as<SimulateStudy>()->samples, 50);
    EXPECT_EQ(loaded.as<SimulateStudy>()->inputs.size(),
              static_cast<std::size_t>(std::min(channels, 16L)));
    EXPECT_EQ(loaded.as<SimulateStudy>()->inputs[0].unit, "kN");
    const Machines machines;
    EXPECT_TRUE(run_simulate(*loaded.as<SimulateStudy>(), machines).ok());
  }
}

// A template is to be read: no 0.30000000000000004 among its numbers, whatever the step.
TEST(StudyTemplate, StiffnessHasThreeDigits) {
  for (int k = 1; k < 200; ++k) {
    const double step = 0.00137 * k * k;
    const std::string text =
        study_template("simulate", TemplateData{.file = "f", .record = forces(2, step)});
    const std::size_t begin = text.find("stiffness = [");
    const std::string matrix = text.substr(begin, text.find("damping", begin) - begin);
    const std::regex number("[0-9][0-9.]*(e[-+][0-9]+)?");
    for (std::sregex_iterator found(matrix.begin(), matrix.end(), number), end; found != end;
         ++found) {
      std::string digits = std::regex_replace(found->str(), std::regex("e.*|[.]"), "");
      digits = std::regex_replace(digits, std::regex("^0+|0+$"), "");
      EXPECT_LE(digits.size(), 3U) << found->str() << " for step " << step;
    }
  }
}

TEST(StudyTemplate, LeavesOutIncompleteChannels) {
  signal::Record record = forces(2, 0.1);
  Eigen::MatrixXd samples = record.samples();
  samples(3, 0) = std::numeric_limits<double>::quiet_NaN();
  record = signal::Record(record.time(), record.channels(), samples);
  const std::string text = study_template("simulate", TemplateData{.file = "f", .record = record});
  EXPECT_THAT(text, HasSubstr("u1 = \"F \\\"1\\\"\""));
  EXPECT_THAT(text, testing::Not(HasSubstr("u2 =")));
  samples.setConstant(std::numeric_limits<double>::quiet_NaN());
  record = signal::Record(record.time(), record.channels(), samples);
  EXPECT_THROW((void)study_template("simulate", TemplateData{.file = "f", .record = record}),
               DataError);
}

TEST(StudyTemplate, NamesTheNearestKind) {
  try {
    (void)study_template("simulat");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"simulate\"?"));
  }
}

// The template is generated from the key tables, so every key of [simulate] must be in it.
TEST(StudyTemplate, MentionsEveryPlainKey) {
  const std::string text = study_template("simulate");
  for (const char* key : {"samples", "method", "hold", "experiments", "coordinates", "forces"}) {
    EXPECT_THAT(text, HasSubstr(key));
  }
}

}  // namespace template_test
}  // namespace alembert::study
