#include "alembert/report/observe_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/report/page.hpp"
#include "alembert/report/simulate_report.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "report/parts/mechanism_drawing.hpp"
#include "report/parts/mechanism_shapes.hpp"
#include "report/tasks/observe/observe_plots.hpp"
#include "support/data.hpp"
#include "support/document_ids.hpp"
#include "support/study_changes.hpp"

namespace alembert::report {
namespace observe_report_test {

using namespace document;

using testing::HasSubstr;

study::ObserveResult crank(const std::vector<std::string>& changes = {}) {
  const study::LoadedStudy loaded = study::load_study(
      test::project_folder() / "studies/slider-crank/observe.toml", test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_observe(*loaded.as<study::ObserveStudy>());
}

TEST(ObserveDocument, ShowsMechanismMotionAndInnovations) {
  const study::ObserveResult result = crank();
  const Document document = observe_document(result);
  EXPECT_THAT(test::ids_in(document),
              testing::IsSupersetOf({"mechanism", "states", "state-1", "state-2", "state-3",
                                     "sensors", "innovation-1", "innovation-2", "nis",
                                     "innovation-correlation", "observability"}));
  const auto& verdict = std::get<Paragraph>(document.sections.front().blocks.front());
  // The density of the study is above the likeliest: no fault, and no praise.
  EXPECT_EQ(verdict.kind, Paragraph::Kind::Normal);
  EXPECT_THAT(verdict.text, HasSubstr("on the safe side"));
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
  return study::run_simulate(*loaded.as<study::SimulateStudy>(), machines);
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

// Sun, planet and ring on axes 0.04 apart, ratios -1 and 3 against the carrier: radii 0.02, 0.02
// and 0.06, since the ring is as wide as the sun and two planets.
TEST(MechanismAnimation, DrawsGearsByTheirRadii) {
  using model::planar::JointKind;
  model::planar::MechanismDescription d;
  d.bodies = {
      {.name = "sun"}, {.name = "planet"}, {.name = "carrier", .points = {{"M", {0.04, 0.0}}}}};
  d.joints = {{.name = "S", .b = "sun"},
              {.name = "C", .b = "carrier"},
              {.name = "P", .a = "carrier.M", .b = "planet"},
              {.name = "inner",
               .kind = JointKind::Gear,
               .a = "sun",
               .b = "planet",
               .ratio = -1.0,
               .carrier = "carrier"},
              {.name = "ring",
               .kind = JointKind::Gear,
               .a = "ground",
               .b = "planet",
               .ratio = 3.0,
               .carrier = "carrier"}};
  d.coordinates = {model::planar::parse_coordinate("angle(sun)")};
  Animation animation{.id = "a", .title = "A"};
  animation.poses.resize(2, 9);
  animation.poses << 0.0, 0.0, 0.0, 0.04, 0.0, 0.0, 0.0, 0.0, 0.0,  //
      0.0, 0.0, 2.0, 0.04 * std::cos(0.5), 0.04 * std::sin(0.5), -1.0, 0.0, 0.0, 0.5;
  add_mechanism_shapes(model::planar::Mechanism(d), animation);
  std::vector<std::pair<int, double>> wheels;
  for (const MovingShape& shape : animation.shapes) {
    if (shape.kind == MovingShape::Kind::Wheel) wheels.emplace_back(shape.body, shape.radius);
  }
  std::sort(wheels.begin(), wheels.end());
  ASSERT_EQ(wheels.size(), 3U);
  const std::vector<double> radii = {0.06, 0.02, 0.02};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(wheels[i].first, static_cast<int>(i) - 1);
    EXPECT_NEAR(wheels[i].second, radii[i], 1e-15);  // rounding
  }
}

// A cylinder from a point far from all bodies: the picture reaches there.
TEST(Animation, ShowsTheEndsOfLinks) {
  Animation animation{.id = "a", .title = "A"};
  animation.bodies = {"one"};
  animation.times = Eigen::VectorXd::LinSpaced(2, 0.0, 1.0);
  animation.poses = Eigen::MatrixXd::Zero(2, 3);
  animation.shapes = {
      {.kind = MovingShape::Kind::Bar, .body = 0, .points = {{0.0, 0.0}, {1.0, 0.0}}}};
  animation.links = {{.a_body = -1, .b_body = 0, .a = {-3.0, -2.0}, .b = {1.0, 0.0}}};
  const Document document{
      .title = "t", .facts = {}, .sections = {{.title = "s", .blocks = {animation}}}};
  // From -3 to 1 and from -2 to 0, and 0.07 of the larger span on each side; y is turned over.
  EXPECT_THAT(render_html(document), HasSubstr("viewBox=\"-3.28 -0.28 4.56 2.56\""));
}

// With a start that is hardly known the bands are huge at first: they do not set the scale.
TEST(ObserveDocument, BandsOfTheStartDoNotFlattenTheCurves) {
  const study::ObserveResult result =
      crank({"observe.start.velocity-sigma=1e6", "observe.start.acceleration-sigma=1e9"});
  ASSERT_TRUE(result.ok()) << result.message;
  ASSERT_GT(result.estimate.deviation(0, 2), 1e6);
  for (const Plot& plot : state_plots(result)) {
    double curve = 0.0;
    double band = 0.0;
    for (const Curve& one : plot.curves) {
      const double size = one.y.maxCoeff() - one.y.minCoeff();
      (one.style == Curve::Style::Faint ? band : curve) =
          std::max(one.style == Curve::Style::Faint ? band : curve, size);
      EXPECT_NE(one.name, "estimate");
    }
    // The curve fills a third of the picture at least; the bands of the scored part are narrower.
    EXPECT_LE(band, 3.0 * curve) << plot.id;
  }
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
