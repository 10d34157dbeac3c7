#include "alembert/report/observe_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/report/simulate_report.hpp"
#include "alembert/study/study.hpp"
#include "report/mechanism_drawing.hpp"
#include "support/data.hpp"
#include "support/document_ids.hpp"
#include "support/study_changes.hpp"

namespace alembert::report {
namespace observe_report_test {

using testing::HasSubstr;

study::ObserveResult crank(const std::vector<std::string>& changes = {}) {
  const study::LoadedStudy loaded = study::load_study(
      test::project_folder() / "studies/slider-crank/observe.toml", test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_observe(*loaded.observe);
}

TEST(ObserveDocument, ShowsMechanismMotionAndInnovations) {
  const study::ObserveResult result = crank();
  const Document document = observe_document(result);
  EXPECT_THAT(test::ids_in(document),
              testing::IsSupersetOf({"mechanism", "states", "state-1", "state-2", "state-3",
                                     "sensors", "innovation-1", "innovation-2", "nis",
                                     "innovation-correlation", "observability"}));
  const auto& verdict = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(verdict.kind, Paragraph::Kind::Good) << verdict.text;
  const std::string page = render_html(document);
  EXPECT_THAT(page, HasSubstr("<figure class=\"animation\" id=\"mechanism\">"));
  EXPECT_THAT(page, HasSubstr("data-body=\"2\""));
  EXPECT_EQ(page, render_html(observe_document(result)));
}

TEST(ObserveDocument, WarnsWhereTheFilterIsWrong) {
  const Document document = observe_document(crank({"observe.density=1e-3"}));
  const auto& verdict = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(verdict.kind, Paragraph::Kind::Warning);
}

study::SimulateResult simulated_crank(const std::vector<std::string>& changes = {}) {
  const study::LoadedStudy loaded = study::load_study(
      test::project_folder() / "studies/slider-crank/simulate.toml", test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  const Machines machines;
  return study::run_simulate(*loaded.simulate, machines);
}

TEST(SimulatedMechanismDocument, ShowsMotionSensorsAndWhatTheySee) {
  const Document document = simulate_document(simulated_crank());
  EXPECT_THAT(
      test::ids_in(document),
      testing::IsSupersetOf({"mechanism", "motion", "motion-0-1", "motion-1-1", "motion-2-1",
                             "sensors", "records-1", "records-2", "observability"}));
  EXPECT_THAT(render_html(document), HasSubstr("speed*t + wave/(4*pi)*sin(4*pi*t)"));
}

// The drawing has the geometry that moved: with a crank 0.01 m longer its pin is 0.15 m from the
// axis, and the crank is at the angle of the truth.
TEST(SimulatedMechanismDocument, DrawsTheTrueGeometry) {
  const study::SimulateResult result = simulated_crank(
      {"mechanism.parameters.r={length=[\"crank.O\", \"crank.A\"]}", "simulate.lengths.r=0.01"});
  const Animation animation = mechanism_animation(result);
  ASSERT_GT(animation.times.size(), 500);
  const Eigen::VectorXd truth = result.experiments.front().truth.values("angle_crank");
  for (Eigen::Index k = 0; k < animation.times.size(); k += 50) {
    const Eigen::VectorXd pose = animation.poses.row(k).transpose();
    const auto sample = static_cast<Eigen::Index>(std::lround(animation.times(k) / 0.001));
    // Newton ends below 1e-9 of the size of the mechanism.
    EXPECT_NEAR(pose(2), truth(sample), 1e-8);
    const Eigen::Vector2d pin(pose(3) - 0.28 * std::cos(pose(5)),
                              pose(4) - 0.28 * std::sin(pose(5)));
    EXPECT_NEAR(pin.norm(), 0.15, 1e-8);
  }
}

// Frames are at the poses of the estimate: the pin between crank and rod is on both.
TEST(MechanismAnimation, KeepsTheJointsClosed) {
  const Animation animation = mechanism_animation(crank());
  ASSERT_EQ(animation.bodies.size(), 3U);
  ASSERT_GT(animation.times.size(), 500);
  const auto point = [&](Eigen::Index frame, int body, double x) {
    const auto pose = animation.poses.row(frame).segment(3 * body, 3);
    return Eigen::Vector2d(pose(0) + std::cos(pose(2)) * x, pose(1) + std::sin(pose(2)) * x);
  };
  for (Eigen::Index k = 0; k < animation.times.size(); k += 50) {
    // Newton ends below 1e-9 of the size of the mechanism.
    EXPECT_LT((point(k, 0, 0.07) - point(k, 1, -0.28)).norm(), 1e-8);
    EXPECT_LT((point(k, 1, 0.28) - point(k, 2, 0.0)).norm(), 1e-8);
    EXPECT_NEAR(point(k, 2, 0.0).x(), 0.0, 1e-8);
  }
  // The crank turns twice a second: shown at half speed or less.
  EXPECT_LE(animation.speed, 0.5);
}

TEST(Animation, RefusesPosesThatDoNotFit) {
  Document document{.title = "t", .facts = {}, .sections = {{.title = "s", .blocks = {}}}};
  Animation animation{.id = "a", .title = "A"};
  animation.bodies = {"one"};
  animation.times = Eigen::VectorXd::LinSpaced(3, 0.0, 1.0);
  animation.poses = Eigen::MatrixXd::Zero(3, 3);
  animation.shapes = {{.kind = MovingShape::Kind::Pin, .body = 0, .points = {{0.0, 0.0}}}};
  document.sections[0].blocks = {animation};
  EXPECT_THAT(render_html(document), HasSubstr("class=\"pin\""));
  animation.shapes[0].body = 1;
  document.sections[0].blocks = {animation};
  EXPECT_THROW((void)render_html(document), InvalidInput);
  animation.shapes[0].body = 0;
  animation.poses = Eigen::MatrixXd::Zero(3, 6);
  document.sections[0].blocks = {animation};
  EXPECT_THROW((void)render_html(document), InvalidInput);
}

}  // namespace observe_report_test
}  // namespace alembert::report
