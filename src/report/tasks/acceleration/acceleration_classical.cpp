#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"
#include "report/tasks/acceleration/acceleration_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using Eigen::VectorXd;
using identify::RecordFit;
using study::AccelerationOutcome;

VectorXd plotted(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Table classical_table(const ResultTree& tests) {
  return with_rows(
      {.id = "classical",
       .title = "Classical tests",
       .header = {},
       .caption =
           "Mean values over the record. For x'' + a x' + b x = 0 the stiffness per mass is b "
           "and the damping per mass a = 2 ζ √b. With a nonlinear spring the amplitude of the "
           "acceleration falls otherwise than that of the displacement: compare the latter"},
      tests,
      {{.path = "test"},
       {.path = "quantity"},
       {.path = "value", .deviation = "deviation", .unknown = ""},
       {.path = "unit"}});
}

Plot envelope_plot(const AccelerationOutcome& result) {
  const RecordFit& record = result.records.front();
  const identify::AccelerationRecord& data = result.study.records.front();
  Plot plot{
      .id = "envelope",
      .title = "Free decay: envelope and extrema",
      .x_label = "time [s]",
      .y_label = "acceleration [m/s²]",
      .curves = {},
      .caption =
          "Envelope by the Hilbert transform, ends continued as an odd function about the outer "
          "zero crossings; extrema by quartics through the samples near them"};
  Curve measured = sampled_curve("measured", record_times(data), data.acceleration);
  measured.style = Curve::Style::Faint;
  plot.curves.push_back(std::move(measured));
  if (record.envelope.ok()) {
    const VectorXd times = record.envelope.times.array() + data.start_time;
    plot.curves.push_back(sampled_curve("envelope", times, record.envelope.envelope));
  }
  std::vector<double> times, values;
  for (const identify::Extremum& one : record.diagnosis.cycles.extrema) {
    times.push_back(one.time + data.start_time);
    values.push_back(std::abs(one.value - record.diagnosis.offset));
  }
  plot.curves.push_back({.name = "extrema",
                         .x = plotted(times),
                         .y = plotted(values),
                         .style = Curve::Style::Points});
  return plot;
}

Plot decrement_plot(const AccelerationOutcome& result) {
  const RecordFit& record = result.records.front();
  const double start = result.study.records.front().start_time;
  std::vector<double> times, ratios, upper, lower;
  for (const identify::CycleDamping& cycle : record.decrement.course) {
    times.push_back(cycle.time + start);
    ratios.push_back(100.0 * cycle.ratio);
    upper.push_back(100.0 * (cycle.ratio + 2.0 * cycle.ratio_deviation));
    lower.push_back(100.0 * (cycle.ratio - 2.0 * cycle.ratio_deviation));
  }
  Plot plot{
      .id = "decrement",
      .title = "Damping ratio cycle by cycle",
      .x_label = "time [s]",
      .y_label = "damping ratio [%]",
      .curves = {},
      .caption =
          "Logarithmic decrement over each cycle, of the acceleration as measured and of the "
          "reconstructed displacement; band: plus and minus two standard deviations of the "
          "former. A decrement that grows as the amplitude falls speaks for dry friction, one "
          "that falls for drag; with a nonlinear spring the displacement tells"};
  plot.curves.push_back({.name = "acceleration",
                         .x = plotted(times),
                         .y = plotted(ratios),
                         .style = Curve::Style::Points});
  for (const std::vector<double>* bound : {&upper, &lower}) {
    plot.curves.push_back({.name = "± 2 std",
                           .x = plotted(times),
                           .y = plotted(*bound),
                           .style = Curve::Style::Faint,
                           .group = "± 2 std"});
  }
  std::vector<double> other_times, other_ratios;
  for (const identify::CycleDamping& cycle : record.displacement_decrement.course) {
    other_times.push_back(cycle.time + start);
    other_ratios.push_back(100.0 * cycle.ratio);
  }
  if (!other_times.empty()) {
    plot.curves.push_back({.name = "displacement",
                           .x = plotted(other_times),
                           .y = plotted(other_ratios),
                           .style = Curve::Style::Points});
  }
  return plot;
}

Plot frequency_plot(const AccelerationOutcome& result) {
  const RecordFit& record = result.records.front();
  const double start = result.study.records.front().start_time;
  Plot plot{.id = "frequency",
            .title = "Instantaneous frequency",
            .x_label = "time [s]",
            .y_label = "frequency [Hz]",
            .curves = {},
            .caption = "By the Hilbert transform, mean over one cycle"};
  const VectorXd times = record.envelope.inner_times.array() + start;
  plot.curves.push_back(sampled_curve("frequency", times, record.envelope.frequency_hz));
  return plot;
}

Plot static_plot(const AccelerationOutcome& result) {
  const identify::StaticTest& test = *result.study.options.static_test;
  const identify::StaticCurve& curve = *result.static_curve;
  Plot plot{.id = "static",
            .title = "Static test",
            .x_label = "displacement [m]",
            .y_label = "force [N]",
            .curves = {},
            .caption = fmt::format(
                "Line against cubic: F = {}, p = {}; {}", significant(curve.f_value, 3),
                significant(curve.p_value, 2),
                curve.cubic_better ? "the cubic describes the points better" : "a line suffices")};
  const VectorXd x =
      VectorXd::LinSpaced(121, test.displacement.minCoeff(), test.displacement.maxCoeff());
  plot.curves.push_back(
      {.name = "measured", .x = test.displacement, .y = test.force, .style = Curve::Style::Points});
  const VectorXd& line = curve.line.coefficients;
  const VectorXd& cubic = curve.cubic.coefficients;
  plot.curves.push_back(
      {.name = "line", .x = x, .y = line(0) + line(1) * x.array(), .style = Curve::Style::Dashed});
  plot.curves.push_back({.name = "cubic",
                         .x = x,
                         .y = cubic(0) + cubic(1) * x.array() + cubic(2) * x.array().cube()});
  if (result.equation_force.size() == test.displacement.size()) {
    plot.curves.push_back({.name = "equation found from the motion",
                           .x = test.displacement,
                           .y = result.equation_force,
                           .style = Curve::Style::Faint});
  }
  return plot;
}

// What the line leaves, in which the cubic shows.
Plot static_rest_plot(const AccelerationOutcome& result) {
  const identify::StaticTest& test = *result.study.options.static_test;
  const VectorXd& line = result.static_curve->line.coefficients;
  const VectorXd& cubic = result.static_curve->cubic.coefficients;
  Plot plot{.id = "static-rest",
            .title = "Static test: force less the line",
            .x_label = "displacement [m]",
            .y_label = "force [N]",
            .curves = {}};
  const VectorXd x =
      VectorXd::LinSpaced(121, test.displacement.minCoeff(), test.displacement.maxCoeff());
  const auto rest = [&](const VectorXd& places, const VectorXd& force) -> VectorXd {
    return force.array() - line(0) - line(1) * places.array();
  };
  const VectorXd bent = cubic(0) + cubic(1) * x.array() + cubic(2) * x.array().cube();
  plot.curves.push_back({.name = "measured",
                         .x = test.displacement,
                         .y = rest(test.displacement, test.force),
                         .style = Curve::Style::Points});
  plot.curves.push_back({.name = "cubic", .x = x, .y = rest(x, bent)});
  if (result.equation_force.size() == test.displacement.size()) {
    plot.curves.push_back({.name = "equation found from the motion",
                           .x = test.displacement,
                           .y = rest(test.displacement, result.equation_force),
                           .style = Curve::Style::Dashed});
  }
  return plot;
}

Table score_table(const ResultTree& scores) {
  return with_rows(
      {.id = "comparison",
       .title = "Compared equations",
       .header = {},
       .caption =
           "Residual of the output error over the whole record; differences to the best "
           "information criterion, and the weight that AIC gives. Prediction: fitted to the "
           "first part of the record alone, error in the rest as rms and as part of the signal"},
      scores,
      {{.path = "name"},
       {.path = "values", .missing = ""},
       {.path = "residual"},
       {.path = "aic_difference"},
       {.path = "bic_difference"},
       {.path = "weight"},
       {.path = "prediction_error"},
       {.path = "relative_prediction_error", .heading = "prediction error [%]", .factor = 100.0}});
}

// The last two cycles, where the phase shows what an equation lacks.
Plot prediction_plot(const AccelerationOutcome& result) {
  const identify::AccelerationRecord& data = result.study.records.front();
  const double cycle = result.records.front().diagnosis.cycles.period;
  const auto count =
      std::min(data.samples(), static_cast<Eigen::Index>(std::lround(2.0 * cycle / data.step)));
  const VectorXd times = record_times(data).tail(count);
  Plot plot{
      .id = "prediction",
      .title = "Prediction of the last cycles",
      .x_label = "time [s]",
      .y_label = "acceleration [m/s²]",
      .curves = {},
      .caption = fmt::format("Fitted to the record before {} s, simulated from its first sample",
                             significant(result.comparison->scores.front().predicted_from, 4))};
  Curve measured = sampled_curve("measured", times, data.acceleration.tail(count));
  measured.style = Curve::Style::Faint;
  plot.curves.push_back(std::move(measured));
  for (const identify::EquationScore& score : result.comparison->scores) {
    if (score.predicted.size() != data.samples()) continue;
    Curve curve = sampled_curve(score.name, times, score.predicted.tail(count));
    if (plot.curves.size() > 1) curve.style = Curve::Style::Dashed;
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

// `method`: "regression" or "refined"
Table record_table(const AccelerationOutcome& result, const ResultTree& records,
                   const std::string& method) {
  std::vector<document::ResultColumn> columns = {{.path = "source"}};
  for (std::size_t i = 0; i < result.study.parameters().size(); ++i) {
    const std::string path = fmt::format("parameters/{}/{}/", i, method);
    columns.push_back({.path = path + "value",
                       .heading = result.study.parameters()[i],
                       .deviation = path + "deviation",
                       .unknown = ""});
  }
  return with_rows({.id = "records-" + method,
                    .title = method == "refined" ? "Records one by one, output error"
                                                 : "Records one by one, regression",
                    .header = {}},
                   records, columns);
}

Table repeated_table(const ResultTree& parameters, const std::string& method) {
  return with_rows(
      {.id = "repeated-" + method,
       .title = method == "refined" ? "Repeatability, output error" : "Repeatability, regression",
       .header = {},
       .caption = "Spread: standard deviation over the records; reported: rms of the standard "
                  "deviations of the records. Consistent: the noise explains the spread (p of at "
                  "least 0.01)",
       .status_column = 8},
      parameters,
      {{.path = "name"},
       {.path = "mean", .digits = 6, .unknown = ""},
       {.path = "spread", .digits = 3, .unknown = ""},
       {.path = "relative_spread",
        .heading = "spread [%]",
        .digits = 3,
        .factor = 100.0,
        .unknown = ""},
       {.path = "reported", .digits = 3, .unknown = ""},
       {.path = "chi_square", .unknown = ""},
       {.path = "freedom"},
       {.path = "probability", .digits = 2, .unknown = ""},
       {.path = "consistent"}});
}

}  // namespace

Section classical_section(const AccelerationOutcome& result, const ResultTree& tree) {
  Section section{.title = "Classical tests", .blocks = {}};
  if (!result.has_fit()) return section;
  const RecordFit& record = result.records.front();
  section.blocks.push_back(classical_table(tree.at("classical")));
  section.blocks.push_back(envelope_plot(result));
  if (record.decrement.ok() && record.decrement.course.size() > 1) {
    section.blocks.push_back(decrement_plot(result));
  }
  if (record.envelope.ok() && record.envelope.inner_times.size() > 1) {
    section.blocks.push_back(frequency_plot(result));
  }
  if (result.static_curve) {
    section.blocks.push_back(static_plot(result));
    section.blocks.push_back(static_rest_plot(result));
  }
  return section;
}

Section comparison_section(const AccelerationOutcome& result, const ResultTree& tree) {
  Section section{.title = "Comparison of equations", .blocks = {}};
  if (!result.comparison) return section;
  std::string texts = "model: " + result.study.equations;
  for (const identify::EquationCandidate& other : result.study.options.alternatives) {
    texts += "\n" + other.name + ": " + other.equation.text;
  }
  section.blocks.push_back(Listing{.title = "Equations", .text = texts});
  section.blocks.push_back(score_table(tree.at("comparison")));
  section.blocks.push_back(prediction_plot(result));
  return section;
}

Section repeatability_section(const AccelerationOutcome& result, const ResultTree& tree) {
  Section section{.title = "Repeatability", .blocks = {}};
  for (const char* method : {"regression", "refined"}) {
    const ResultTree& parameters = tree.at("repeatability").at(method);
    if (parameters.entries().empty()) break;
    section.blocks.push_back(repeated_table(parameters, method));
    section.blocks.push_back(record_table(result, tree.at("records"), method));
  }
  return section;
}

}  // namespace alembert::report
