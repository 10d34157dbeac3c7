#include "alembert/report/simulate_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/report/page.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "report/parts/energy_section.hpp"
#include "report/parts/sampled_curve.hpp"
#include "support/document_parts.hpp"
#include "support/matrices_near.hpp"

namespace simulate_report_test {

using namespace alembert;
using namespace alembert::document;
using namespace alembert::report;
using Eigen::Index;
using test::block;
using test::kEps;
using test::section;
using testing::HasSubstr;

// One mass on a spring, 2 Hz, 5 %: everything about it is known in closed form.
const std::string kOneMass = R"(
title = "One mass"
[model]
mass = [[2.0]]
stiffness = [[315.82734083485946]]
damping = [[2.5132741228718345]]
[simulate]
step = 0.01
samples = 1000
[simulate.inputs]
u1 = { kind = "spline-noise", knots = 0.1 }
[simulate.sensors]
y = { measures = "displacement", at = "q1", snr = 20.0 }
a = { measures = "acceleration", at = "q1", sigma = 0.01, rate = 50.0, bits = 12, range = [-2.0, 2.0] }
)";

study::SimulateResult run(const std::string& text, std::vector<std::string> changes = {}) {
  study::LoadOptions options;
  for (const std::string& change : changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  const study::LoadedStudy loaded = study::load_study_text(text, "one.toml", options);
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  const Machines machines;
  return study::run_simulate(*loaded.as<study::SimulateStudy>(), machines, {.threads = 1});
}

std::vector<std::string> titles(const Document& document) {
  std::vector<std::string> list;
  for (const Section& s : document.sections) list.push_back(s.title);
  return list;
}

TEST(SimulateDocument, SaysWhatWasAskedAndWhatCameOut) {
  const study::SimulateResult result = run(kOneMass);
  const Document document = simulate_document(result);
  EXPECT_EQ(document.title, "One mass");
  EXPECT_THAT(document.subtitle, HasSubstr("1 coordinate to 1 input, recorded by 2 sensors"));
  EXPECT_THAT(titles(document), testing::ElementsAre("What was asked", "What came out", "Model",
                                                     "Inputs", "Sensors", "Energy", "Files"));
  EXPECT_EQ(std::get<Listing>(section(document, "What was asked").blocks.back()).text, kOneMass);
  EXPECT_THAT(document.facts, testing::Contains(testing::Pair("rate", "100 Hz")));
  EXPECT_THAT(document.facts, testing::Contains(testing::Pair("duration", "10 s")));
  EXPECT_FALSE(render_html(document).empty());
}

// Closed form: f = sqrt(k/m)/2π = 2 Hz, ζ = d / (2 sqrt(k m)) = 5 %.
TEST(SimulateDocument, ListsTheModes) {
  const Document document = simulate_document(run(kOneMass));
  const Table modes = block<Table>(document, "modes");
  ASSERT_EQ(modes.rows.size(), 1U);
  EXPECT_EQ(modes.rows[0][1], "2.0000");
  EXPECT_EQ(modes.rows[0][2], "5.000");
  EXPECT_EQ(block<MatrixView>(document, "stiffness").unit, "N/m");
}

// |H| = 1 / sqrt((k - ω² m)² + (ω d)²); rounding is amplified by at most 1/(2ζ) = 10 at resonance.
TEST(SimulateDocument, DrawsTheFrequencyResponse) {
  const study::SimulateResult result = run(kOneMass);
  const Plot plot = block<Plot>(simulate_document(result), "response-magnitude");
  const model::SecondOrder& system = result.study.linear()->system;
  ASSERT_EQ(plot.curves.size(), 1U);
  const Curve& curve = plot.curves[0];
  EXPECT_LT(curve.x(0), 1.0);
  EXPECT_GT(curve.x(curve.x.size() - 1), 5.0);
  for (Index k = 0; k < curve.x.size(); ++k) {
    const double w = 2.0 * std::numbers::pi * curve.x(k);
    const double expected =
        1.0 / std::hypot(system.K(0, 0) - w * w * system.M(0, 0), w * system.D(0, 0));
    EXPECT_NEAR(curve.y(k), expected, 200 * kEps * expected) << curve.x(k);
  }
  // The grid holds the resonance itself, where |H| exceeds 0.999 of its maximum 1/(d ω_d).
  const double peak = 1.0 / (2.0 * 0.05 * std::sqrt(1.0 - 0.05 * 0.05) * system.K(0, 0));
  EXPECT_GT(curve.y.maxCoeff(), 0.999 * peak);
  ASSERT_EQ(plot.markers.size(), 1U);
  EXPECT_NEAR(plot.markers[0].x, 2.0, 1e-9);
}

TEST(SimulateDocument, ShowsRecordsOverTheTruth) {
  const study::SimulateResult result = run(kOneMass);
  const Document document = simulate_document(result);
  const Plot plot = block<Plot>(document, "records-1");
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].group, "y");
  EXPECT_EQ(plot.curves[0].style, Curve::Style::Points);
  EXPECT_TRUE(test::matrices_near(
      plot.curves[1].y, result.experiments[0].truth.values("q1_displacement"), {.rel = kEps}));
  EXPECT_TRUE(test::matrices_near(plot.curves[0].y, result.experiments[0].record.values("y"),
                                  {.rel = 0.0}));
  // A sensor at half the rate shows its own samples and no gaps.
  const Plot accelerations = block<Plot>(document, "records-2");
  EXPECT_EQ(accelerations.curves[0].y.size(), 500);
  EXPECT_TRUE(accelerations.curves[0].y.allFinite());
  EXPECT_EQ(accelerations.y_label, "acceleration [m/s\u00b2]");
}

// Parseval: the density of the record sums up to its variance, up to the averaging of few segments
// (a factor 2 is far outside of what eight segments scatter).
TEST(SimulateDocument, ScalesSpectraToTheRecords) {
  const study::SimulateResult result = run(kOneMass, {"simulate.samples=8000"});
  const Plot plot = block<Plot>(simulate_document(result), "spectra-1");
  const Curve& curve = plot.curves[0];
  const double line = curve.x(1) - curve.x(0);
  const auto record = result.experiments[0].record.values("y");
  const double variance = (record.array() - record.mean()).square().mean();
  EXPECT_GT(curve.y.sum() * line, 0.5 * variance);
  EXPECT_LT(curve.y.sum() * line, 2.0 * variance);
  EXPECT_NEAR(plot.markers.at(0).x, 2.0, 1e-9);
  EXPECT_EQ(plot.y_label, "power density [m\u00b2/Hz]");
}

TEST(SimulateDocument, TellsTheNoiseAskedAndAchieved) {
  const Document document = simulate_document(run(kOneMass));
  const Table table = block<Table>(document, "sensors");
  ASSERT_EQ(table.rows.size(), 2U);
  const auto column = [&](const std::string& title) {
    const auto at = std::find(table.header.begin(), table.header.end(), title);
    return static_cast<std::size_t>(at - table.header.begin());
  };
  EXPECT_EQ(table.rows[0][column("SNR asked [dB]")], "20.00");
  // 1000 samples: the standard deviation of the noise power is 4.5 %, 0.19 dB; 4 sigma.
  EXPECT_NEAR(std::stod(table.rows[0][column("SNR achieved [dB]")]), 20.0, 0.8);
  EXPECT_EQ(table.rows[1][column("SNR asked [dB]")], "-");
  EXPECT_EQ(table.rows[1][column("samples")], "500");
  EXPECT_EQ(table.rows[1][column("missing")], "500");
  EXPECT_THAT(table.rows[1][column("settings")], HasSubstr("12 bits on [-2, 2]"));
}

// Energy is in joules only if forces are in N and displacements in m.
TEST(EnergyUnit, IsJouleForNewtonTimesMetreAlone) {
  study::LinearModel model;
  model.displacement_units = {"m", "m"};
  model.force_units = {"N", "N"};
  EXPECT_EQ(energy_unit(model), "J");
  model.force_units = {"N", "kN"};
  EXPECT_EQ(energy_unit(model), "");
  model.force_units = {"N", "N"};
  model.displacement_units = {"m", "mm"};
  EXPECT_EQ(energy_unit(model), "");
}

// A sensor without noise reads the truth: its column of the record is that of the truth.
TEST(TrueSignal, IsWhatASensorWithoutNoiseReads) {
  const std::string noisy = kOneMass.substr(0, kOneMass.find("y = {"));
  const study::SimulateResult result = run(noisy + R"(
y = { measures = "displacement", at = "q1" }
v = { measures = "velocity", at = "q1" }
a = { measures = "acceleration", at = "q1" }
)");
  const study::Experiment& experiment = result.experiments.front();
  const Eigen::MatrixXd& readings = experiment.record.samples();
  ASSERT_EQ(readings.cols(), 4);  // the input, then the sensors
  for (Index i = 0; i < 3; ++i) {
    const auto& sensor = result.study.sensors[static_cast<std::size_t>(i)];
    const Eigen::VectorXd truth = true_signal(result.study, sensor, experiment);
    ASSERT_EQ(truth.size(), readings.rows());
    EXPECT_GT(truth.norm(), 0.0);
    EXPECT_EQ((truth - readings.col(1 + i)).norm(), 0.0) << i;
  }
}

TEST(SimulateDocument, BalancesTheEnergy) {
  const Plot& plot =
      block<Plot>(simulate_document(run(kOneMass, {"simulate.method=variational"})), "energy");
  ASSERT_EQ(plot.curves.size(), 3U);
  // E - E(0) = supplied - dissipated exactly for this integrator; rounding of 1000 sums.
  const Eigen::VectorXd residual = plot.curves[0].y.array() - plot.curves[0].y(0) -
                                   plot.curves[1].y.array() + plot.curves[2].y.array();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1000 * kEps * plot.curves[1].y.cwiseAbs().maxCoeff());
  EXPECT_EQ(plot.y_label, "energy [J]");
}

// The held force is constant on a step: without damping its work is exact, and the balance closes
// to rounding of 1000 sums. With the mean of two samples it would miss by O(h).
TEST(SimulateDocument, BalancesTheEnergyOfAHeldInput) {
  const Document document =
      simulate_document(run(kOneMass, {"simulate.hold=zero", "model.damping=[[0.0]]",
                                       "simulate.inputs.u1={ kind = \"prbs\", order = 6 }"}));
  const Plot plot = block<Plot>(document, "energy");
  const Eigen::VectorXd residual = plot.curves[0].y.array() - plot.curves[0].y(0) -
                                   plot.curves[1].y.array() + plot.curves[2].y.array();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1000 * kEps * plot.curves[1].y.cwiseAbs().maxCoeff());
  EXPECT_THAT(plot.caption, HasSubstr("work of the held inputs is exact"));
}

// Each number from its definition, in the words of the table.
TEST(SimulateDocument, NamesTheKeyResults) {
  const study::SimulateResult result = run(kOneMass, {"simulate.method=variational"});
  const Document document = simulate_document(result);
  const Table table = block<Table>(document, "key-results");
  const auto value = [&](const std::string& name) {
    for (const auto& row : table.rows) {
      if (row[0] == name) return row[1];
    }
    return std::string("none");
  };
  EXPECT_EQ(value("natural frequencies"), "2.000 Hz");
  EXPECT_EQ(value("damping ratios"), "5.000 %");
  const Eigen::VectorXd q = result.experiments[0].truth.values("q1_displacement");
  // Four digits are shown.
  const double rms = std::sqrt(q.squaredNorm() / 1000.0);
  EXPECT_NEAR(std::stod(value("largest displacement, rms")), rms, 5e-4 * rms);
  EXPECT_THAT(value("largest acceleration, rms"), HasSubstr(" m/s\u00b2"));
  EXPECT_THAT(value("signal-to-noise ratio achieved"), HasSubstr(" dB"));
  EXPECT_NE(value("clipped samples"), "none");
  const Plot energy = block<Plot>(document, "energy");
  const double supplied = energy.curves[1].y(energy.curves[1].y.size() - 1);
  EXPECT_NEAR(std::stod(value("energy supplied by the inputs")), supplied, 5e-4 * supplied);
  EXPECT_THAT(value("energy dissipated"), HasSubstr(" J"));
}

const std::string kCart = R"(
[model]
mass = { diagonal = [2.0, 0.1] }
stiffness = { diagonal = [300.0, 2.0] }
damping = { ratios = 0.05 }
coordinates = ["x", "phi"]
units = { displacement = ["m", "rad"], force = ["N", "N m"] }
[simulate]
step = 0.01
samples = 200
[simulate.inputs]
all = { kind = "spline-noise", knots = 0.1 }
)";

TEST(SimulateDocument, GivesEachResponseItsOwnUnit) {
  const Document document = simulate_document(run(kCart));
  const Plot plot = block<Plot>(document, "response-magnitude");
  EXPECT_EQ(plot.y_label, "magnitude");
  ASSERT_EQ(plot.curves.size(), 4U);
  EXPECT_EQ(plot.curves[0].unit, "m/N");
  EXPECT_EQ(plot.curves[1].unit, "rad/N");
  EXPECT_EQ(plot.curves[2].unit, "m/(N m)");
  EXPECT_EQ(plot.curves[3].unit, "rad/(N m)");
  EXPECT_EQ(block<MatrixView>(document, "stiffness").unit, "");
  // One unit for all stands at the axis.
  const Plot shared = block<Plot>(simulate_document(run(kOneMass)), "response-magnitude");
  EXPECT_EQ(shared.y_label, "magnitude [m/N]");
  EXPECT_EQ(shared.curves[0].unit, "");
  // Key results do not mix units either.
  const Table table = block<Table>(document, "key-results");
  EXPECT_EQ(std::count_if(table.rows.begin(), table.rows.end(),
                          [](const auto& row) { return row[0] == "largest displacement, rms"; }),
            2);
}

// An input in V acts through L in N/V: M, D, K are in units that nobody told.
TEST(SimulateDocument, LeavesOffUnitsThatLHides) {
  const Document document =
      simulate_document(run(kOneMass, {"model.forces=[[3.5]]", "model.units={ force = \"V\" }"}));
  EXPECT_EQ(block<MatrixView>(document, "mass").unit, "");
  EXPECT_EQ(block<MatrixView>(document, "stiffness").unit, "");
  EXPECT_EQ(block<Plot>(document, "response-magnitude").y_label, "magnitude [m/V]");
}

TEST(SimulateDocument, CountsSeveralExperiments) {
  const Document document = simulate_document(run(kOneMass, {"simulate.experiments=3"}));
  EXPECT_THAT(document.facts, testing::Contains(testing::Pair("experiments", "3")));
  const Table files = block<Table>(document, "files");
  EXPECT_EQ(files.rows[1][0], "record-01.csv \u2026 record-03.csv");
  EXPECT_THAT(block<Table>(document, "sensors").caption, HasSubstr("over 3 experiments"));
  const Table sensors = block<Table>(document, "sensors");
  const auto at = std::find(sensors.header.begin(), sensors.header.end(), "samples");
  EXPECT_EQ(sensors.rows[0].at(static_cast<std::size_t>(at - sensors.header.begin())), "3000");
}

TEST(SimulateDocument, SaysThatNothingWasFinished) {
  study::SimulateResult result = run(kOneMass);
  result.experiments.clear();
  result.status = Status::NotFinite;
  result.message = "experiment 1: the motion left the range of doubles at sample 12";
  const Document document = simulate_document(result);
  const auto& paragraph = std::get<Paragraph>(section(document, "What came out").blocks.front());
  EXPECT_EQ(paragraph.kind, Paragraph::Kind::Bad);
  EXPECT_THAT(paragraph.text, HasSubstr("sample 12"));
  EXPECT_THAT(titles(document), testing::Not(testing::Contains("Sensors")));
}

TEST(SimulateDocument, ShowsWarningsAndNotes) {
  study::SimulateResult result = run(kOneMass);
  result.warnings = {"a sensor clips"};
  result.study.notes = {"u1: the file's kN became N"};
  const Document document = simulate_document(result);
  const std::vector<Block>& blocks = section(document, "What came out").blocks;
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(std::get<Paragraph>(blocks[1]).text, "a sensor clips");
  EXPECT_EQ(std::get<Paragraph>(blocks[1]).kind, Paragraph::Kind::Warning);
  EXPECT_EQ(std::get<Paragraph>(blocks[2]).text, "u1: the file's kN became N");
  EXPECT_EQ(std::get<Paragraph>(blocks[2]).kind, Paragraph::Kind::Normal);
}

// Long records must not be copied as they are: 4 curves of at most 20000 points each.
TEST(SimulateDocument, ThinsLongRecords) {
  const Document document = simulate_document(run(kOneMass, {"simulate.samples=100000"}));
  const Plot plot = block<Plot>(document, "records-1");
  EXPECT_LE(plot.curves[0].y.size(), 20'000);
  EXPECT_EQ(plot.curves[0].samples, 100'000);
  EXPECT_EQ(plot.curves[0].style, Curve::Style::Faint);
  EXPECT_THAT(render_html(document), HasSubstr("of 100\u202f000 samples a curve"));
}

}  // namespace simulate_report_test
