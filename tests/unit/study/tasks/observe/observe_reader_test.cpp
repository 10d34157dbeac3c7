#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/observe.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace observe_reader_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Without files; the start is given, so that the mechanism is assembled.
std::string first_problem(const std::vector<std::string>& changes,
                          const std::string& text = test::kCrank) {
  LoadOptions options = test::changed(changes);
  options.read_files = false;
  const LoadedStudy loaded = load_study_text(text, "crank.toml", options);
  return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(ReadObserve, ReadsMechanismSensorsAndSettings) {
  const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", [] {
    LoadOptions options = test::changed(
        {"observe.filter=square-root-simplex", "observe.motion=white-snap",
         "observe.central-weight=0.5", "observe.lengths.sigma=0.002",
         "observe.biases={sensors=[\"accel\"], sigma=0.3, walk=1e-6}",
         "observe.gate.probability=0.99", "mechanism.gravity=[0.0, -9.8]",
         "data.sensors.gyro={kind=\"angular-rate\", of=\"rod\", relative-to=\"crank\", "
         "sigma=0.1}"});
    options.stream = true;
    return options;
  }());
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const ObserveStudy& study = *loaded.as<ObserveStudy>();
  const model::planar::MechanismDescription& description = study.mechanism->description();
  EXPECT_EQ(study.title, "Crank");
  EXPECT_EQ(study.mechanism->bodies(), (std::vector<std::string>{"crank", "rod", "slider"}));
  EXPECT_EQ(description.joints.size(), 4U);
  EXPECT_EQ(description.joints[3].kind, model::planar::JointKind::Prismatic);
  EXPECT_EQ(description.gravity.y(), -9.8);
  EXPECT_EQ(description.bodies[1].points[1].at.x(), 0.28);
  EXPECT_EQ(description.parameters[0].name, "r");
  ASSERT_EQ(description.sensors.size(), 3U);
  EXPECT_TRUE(description.sensors[0].wrap);
  EXPECT_EQ(description.sensors[2].relative_to, "crank");
  EXPECT_EQ(study.columns[0].column, "theta");
  EXPECT_EQ(study.columns[2].column, "gyro");
  EXPECT_EQ(study.columns[1].unit, "m/s^2");
  const estimate::KinematicObserverOptions& options = study.options;
  EXPECT_EQ(options.filter, square_root(estimate::FilterRule::Simplex));
  EXPECT_EQ(options.output.motion, estimate::MotionModel::WhiteSnap);
  EXPECT_EQ(options.central_weight, 0.5);
  EXPECT_TRUE(options.output.geometry);
  EXPECT_EQ(options.start.sigma_parameters, std::vector<double>{0.002});
  EXPECT_EQ(options.output.biases, std::vector<int>{1});
  EXPECT_EQ(options.output_noise.bias_density, 1e-6);
  EXPECT_EQ(options.gate.probability, 0.99);
  EXPECT_FALSE(study.options.given.coordinates);
  EXPECT_EQ(study.options.scored_from, 0.3);
}

TEST(ReadObserve, ReadsEveryFilter) {
  for (const std::string name :
       {"ekf", "iterated-ekf", "square-root-ekf", "iterated-square-root-ekf", "simplex",
        "square-root-simplex", "unscented", "square-root-unscented", "cubature",
        "square-root-cubature", "gauss-hermite", "square-root-gauss-hermite"}) {
    LoadOptions options = test::changed({"observe.filter=" + name});
    options.stream = true;
    const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
    ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
    EXPECT_EQ(name_of(loaded.as<ObserveStudy>()->options.filter), name);
  }
  // White snap, a length and two biases: 7 states.
  LoadOptions options =
      test::changed({"observe.filter=gauss-hermite", "observe.start.coordinates=[0.3]",
                     "observe.motion=white-snap", "observe.lengths.sigma=0.002",
                     "observe.biases={sensors=[\"encoder\", \"accel\"], sigma=0.3}"});
  options.stream = true;
  const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
  ASSERT_FALSE(loaded.problems.empty());
  EXPECT_THAT(to_string(loaded.problems.front()),
              AllOf(HasSubstr("crank.toml"), HasSubstr("gauss-hermite with more than 6 states"),
                    HasSubstr("got 7; take cubature")));
}

TEST(ReadObserve, ReadsTheInputForm) {
  LoadOptions options = test::changed(
      {"observe={form=\"input\", scheme=\"newmark\", gamma=5.0, discretisation=\"heun\", "
       "noise=[1e-12, 1e-6, 0.1], noise-from-inputs=true, "
       "switch={threshold=0.002, release=1.5, look-ahead=0.01}}"});
  options.stream = true;
  const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const estimate::KinematicObserverOptions& read = loaded.as<ObserveStudy>()->options;
  EXPECT_EQ(read.input.inputs, std::vector<int>{1});
  EXPECT_EQ(read.input.outputs, std::vector<int>{0});
  EXPECT_EQ(read.input.scheme, estimate::AccelerationScheme::Newmark);
  EXPECT_EQ(read.input.gamma, 5.0);
  EXPECT_TRUE(read.input_noise.from_inputs);
  EXPECT_EQ(read.input.discretisation, estimate::Discretisation::Heun);
  EXPECT_EQ(read.switching.release_ratio, 1.5);
  EXPECT_EQ(read.switching.look_ahead, 0.01);
}

// Names are reported where they stand, with the nearest known one.
TEST(ReadObserve, PointsAtTheCulprit) {
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "\"rod.A\"] }", "\"rod.a1\"] }")),
              AllOf(StartsWith("crank.toml:9:28: mechanism.joints[2]"),
                    HasSubstr("revolute crank.A-rod.a1"), HasSubstr("did you mean")));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "angle(crank)", "angle(crnk)")),
              AllOf(StartsWith("crank.toml:13:16: mechanism.coordinates"), HasSubstr("'crank'")));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "angle(crank)", "turn(crank)")),
              AllOf(StartsWith("crank.toml:13:16"), HasSubstr("angle(body)")));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "of = \"crank\"", "of = \"crnk\"")),
              AllOf(StartsWith("crank.toml:17:"), HasSubstr("did you mean 'crank'?")));
  EXPECT_THAT(
      first_problem({}, replaced(test::kCrank, "revolute = [\"ground\"", "revolut = [\"ground\"")),
      AllOf(StartsWith("crank.toml:8:"), HasSubstr("did you mean \"revolute\"")));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "axis = [0.0, 1.0]", "axis = [0.0, 0.0]")),
              AllOf(StartsWith("crank.toml:11:"), HasSubstr("axis must have a length")));
  EXPECT_THAT(
      first_problem({}, replaced(test::kCrank, "crank.O\", \"crank.A", "crank.O\", \"rod.A")),
      AllOf(StartsWith("crank.toml:14:"), HasSubstr("one body")));
}

TEST(ReadObserve, RefusesKeysThatDoNothing) {
  EXPECT_THAT(first_problem({"observe.switch.threshold=0.1"}), HasSubstr("form = \"output\""));
  EXPECT_THAT(first_problem({"observe.noise-from-inputs=true"}), HasSubstr("form = \"output\""));
  EXPECT_THAT(first_problem({"observe={form=\"input\", density=1.0}"}),
              HasSubstr("form = \"input\""));
  EXPECT_THAT(first_problem({"observe.central-weight=0.2"}), HasSubstr("simplex"));
  EXPECT_THAT(first_problem({"observe.start.jerk-sigma=2.0"}), HasSubstr("white-snap"));
  EXPECT_THAT(first_problem({"observe={form=\"input\", gamma=2.0}"}), HasSubstr("newmark"));
  EXPECT_THAT(first_problem({"data.sensors.accel.wrap=true"}), HasSubstr("acceleration"));
  EXPECT_THAT(first_problem({"mechanism.bodies.ground.mass=1.0"}), HasSubstr("does not move"));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "[\"ground\", \"crank.O\"]",
                                         "[\"ground\", \"crank.O\"], radius = 1.0")),
              AllOf(StartsWith("crank.toml:8:"), HasSubstr("revolute joint")));
}

TEST(ReadObserve, RefusesWhatCannotBe) {
  EXPECT_THAT(first_problem({"observe.density=[1.0, 2.0]"}), HasSubstr("one number for each"));
  EXPECT_THAT(first_problem({"observe.start.coordinates=[0.0, 1.0]"}), HasSubstr("1, got 2"));
  EXPECT_THAT(first_problem({"observe.biases={sensors=[\"acel\"], sigma=1.0}"}),
              HasSubstr("did you mean \"accel\"?"));
  EXPECT_THAT(first_problem({"observe.biases={sensors=[\"accel\"], sigma=[1.0, 2.0]}"}),
              HasSubstr("one number for each sensor, 1, got 2"));
  EXPECT_THAT(first_problem({"data.sensors.accel.sigma=0.0"}), HasSubstr("above 0"));
  EXPECT_THAT(first_problem({"observe={form=\"input\", inputs=[\"encoder\"]}",
                             "observe.start.coordinates=[0.5]"}),
              HasSubstr("rates or all accelerations"));
  EXPECT_THAT(first_problem({"observe={form=\"input\", inputs=[\"gyro\"], scheme=\"newmark\"}",
                             "data.sensors.gyro={kind=\"angular-rate\", of=\"rod\", sigma=0.1}"}),
              HasSubstr("rates as inputs"));
  EXPECT_THAT(first_problem({"observe.workspace={lower=[1.0], upper=[0.0]}"}),
              HasSubstr("above lower"));
  EXPECT_THAT(first_problem({}, replaced(test::kCrank, "[observe]", "[identify]\n[observe]")),
              HasSubstr("identify"));
}

// What only the assembly shows, by the name of a joint, body or coordinate.
TEST(ReadObserve, ReportsWhatCannotBeAssembled) {
  const std::string start = "observe.start.coordinates=[0.5]";
  EXPECT_EQ(first_problem({start}), "");
  // The rod is too short to reach the slider's line.
  const std::string far =
      replaced(test::kCrank, "axis = [0.0, 1.0]", "axis = [0.0, 1.0], through = [5.0, 0.0]");
  EXPECT_THAT(first_problem({start}, far), AllOf(HasSubstr("crank.toml:"), HasSubstr("close")));
  // Two coordinates for one freedom.
  EXPECT_THAT(first_problem({"observe.start={coordinates=[0.5, 0.1]}"},
                            replaced(test::kCrank, "[\"angle(crank)\"]",
                                     "[\"angle(crank)\", \"angle(rod)\"]")),
              HasSubstr("has 1 degree of freedom"));
  // The same pin twice.
  const std::string twice =
      replaced(test::kCrank, "  { revolute = [\"rod.B\"",
               "  { name = \"again\", revolute = [\"ground\", \"crank.O\"] },\n  { revolute = "
               "[\"rod.B\"");
  EXPECT_THAT(first_problem({start}, twice), HasSubstr("'again'"));
}

TEST(ReadObserve, AsksForAStartThatNoSensorGives) {
  const test::TemporaryFolder folder;
  (void)folder.write("crank.csv", test::crank_record(400, 1));
  const LoadedStudy loaded = load_study_text(
      replaced(test::kCrank, "kind = \"angle\", of = \"crank\"", "kind = \"angle\", of = \"rod\""),
      folder.path() / "crank.toml");
  ASSERT_FALSE(loaded.problems.empty());
  EXPECT_THAT(loaded.problems.front().message, HasSubstr("no sensor reads angle(crank) itself"));
}

// The crank is first read in a late row: what is left must still be a record.
TEST(ReadObserve, ARecordMustBeLeftWhenTheCoordinatesAreKnown) {
  const test::TemporaryFolder folder;
  const auto problem = [&](int first_read) {
    std::string text = "t,theta,a\n";
    for (int k = 0; k < 50; ++k) {
      text += std::to_string(1e-3 * k) + "," + (k < first_read ? "" : "0.5") + ",0\n";
    }
    (void)folder.write("crank.csv", text);
    const LoadedStudy loaded = load_study_text(replaced(test::kCrank, "scored-from = 0.3\n", ""),
                                               folder.path() / "crank.toml");
    return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
  };
  EXPECT_THAT(problem(49), AllOf(HasSubstr("data.sensors: the coordinates have all been read"),
                                 HasSubstr("t = 0.049 s"), HasSubstr("at least two")));
  EXPECT_EQ(problem(48), "");
}

TEST(ReadObserve, DataProblemsNameTheColumn) {
  const test::TemporaryFolder folder;
  (void)folder.write("crank.csv", test::crank_record(50, 1, 0.0, "t [s],theta [N],acc [m/s^2]"));
  const auto problem = [&](const std::vector<std::string>& changes) {
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
    return loaded.problems.empty() ? "" : loaded.problems.front().message;
  };
  EXPECT_THAT(problem({}), AllOf(HasSubstr("no column \"a\""), HasSubstr("data.sensors.accel")));
  EXPECT_THAT(problem({"data.sensors.accel.column=acc"}),
              AllOf(HasSubstr("\"theta\" is in N"), HasSubstr("rad")));
  EXPECT_THAT(problem({"data.file=none.csv"}), HasSubstr("not found"));
  (void)folder.write("crank.csv", test::crank_record(50, 1));
  EXPECT_THAT(problem({"observe.scored-from=0.3"}), HasSubstr("lasts 0.049 s"));
}

// Lists are noted as people write them, which must be what the library has.
TEST(ReadObserve, NotedNoiseIsThatOfTheLibrary) {
  const auto noted = [](const ObserveKeys& keys) {
    const TableSpec table{.path = "", .help = "", .keys = keys.specs()};
    const std::string text = "noise = " + table.find("noise", nullptr)->fallback_note;
    const Document document = parse_toml(text, "noise.toml");
    estimate::ObserveOptions options;
    options.input_noise = {.kinematic = {}, .random_walk = {}};
    keys.read(TableReader(document, table), options);
    return options.input_noise;
  };
  const estimate::InputFormNoise library;
  EXPECT_EQ(noted(observe_keys()).kinematic, library.kinematic);
  EXPECT_EQ(noted(observe_switch_keys()).random_walk, library.random_walk);
}

// The density or the sensors; the density where nothing is said.
TEST(ReadObserve, AdaptsTheDensityOrTheSensors) {
  const auto adapt = [](const std::vector<std::string>& changes) {
    LoadOptions options = test::changed(changes);
    options.stream = true;
    return load_study_text(test::kCrank, "crank.toml", options).as<ObserveStudy>()->options.adapt;
  };
  EXPECT_TRUE(adapt({"observe.adapt.window=100"}).process);
  EXPECT_FALSE(adapt({"observe.adapt.window=100"}).outputs);
  EXPECT_FALSE(adapt({"observe.adapt.window=100", "observe.adapt.sensors=true"}).process);
  EXPECT_TRUE(adapt({"observe.adapt.window=100", "observe.adapt.sensors=true"}).outputs);
  EXPECT_THAT(first_problem(
                  {}, test::kCrank + "adapt = { window = 100, sensors = true, density = true }\n"),
              AllOf(StartsWith("crank.toml:24:"),
                    HasSubstr("observe.adapt follows the density or the sensors, not both")));
  EXPECT_THAT(first_problem({"observe.adapt.window=100", "observe.adapt.sensors=true",
                             "observe.gate.probability=0.99"}),
              HasSubstr("observe.gate.probability must be at least 0.999 with "
                        "observe.adapt.sensors"));
  EXPECT_THAT(first_problem({"observe.adapt.window=100", "observe.adapt.density=false"}),
              HasSubstr("nothing to adapt"));
}

}  // namespace observe_reader_test
}  // namespace alembert::study
