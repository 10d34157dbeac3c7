#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/page/vocabulary.hpp"
#include "report/parts/deviation_words.hpp"
#include "report/parts/sampled_curve.hpp"
#include "report/tasks/acceleration/acceleration_sections.hpp"

namespace alembert::report {
namespace {

using Eigen::VectorXd;
using identify::RecordFit;
using study::AccelerationOutcome;

VectorXd plotted(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Classical values beside those of the windows.
Table classical_table(const AccelerationOutcome& result) {
  const RecordFit& record = result.records.front();
  Table table{
      .id = "classical",
      .title = "Classical tests",
      .header = {"test", "quantity", "value", "unit"},
      .rows = {},
      .caption =
          "Mean values over the record. For x'' + a x' + b x = 0 the stiffness per mass is b "
          "and the damping per mass a = 2 ζ √b. With a nonlinear spring the amplitude of the "
          "acceleration falls otherwise than that of the displacement: compare the latter"};
  const auto add = [&](const char* test, const char* quantity, const std::string& value,
                       const char* unit) {
    table.rows.push_back({test, quantity, value, unit});
  };
  const identify::Cycles& cycles = record.diagnosis.cycles;
  const double omega = 2.0 * std::numbers::pi / cycles.period;
  add("zero crossings", "stiffness per mass",
      with_deviation(omega * omega, 2.0 * omega * omega * cycles.period_deviation / cycles.period),
      "1/s²");
  const identify::LogDecrement& decrement = record.decrement;
  if (decrement.ok()) {
    add("logarithmic decrement of the acceleration", "damping ratio",
        with_deviation(decrement.ratio, decrement.ratio_deviation), "");
    add("logarithmic decrement of the acceleration", "damping per mass",
        with_deviation(decrement.rate, decrement.rate_deviation), "1/s");
  }
  if (record.displacement_decrement.ok()) {
    add("logarithmic decrement of the displacement", "damping per mass",
        significant(record.displacement_decrement.rate, 4), "1/s");
  }
  const identify::DecayEnvelope& envelope = record.displacement_envelope;
  if (envelope.ok() && envelope.frequency_hz.size() > 0) {
    add("Hilbert transform of the displacement", "frequency, mean",
        significant(envelope.frequency_hz.mean(), 5), "Hz");
    add("Hilbert transform of the displacement", "damping per mass, mean",
        significant(2.0 * envelope.decay_rate.mean(), 4), "1/s");
  }
  if (!result.static_curve) return table;
  const identify::StaticCurve& curve = *result.static_curve;
  const std::optional<double>& mass = result.study.options.static_test->mass;
  const double m = mass.value_or(1.0);
  add("static, line", mass ? "stiffness per mass" : "stiffness",
      with_deviation(curve.line.coefficients(1) / m, curve.line.deviations(1) / m),
      mass ? "1/s²" : "N/m");
  add("static, cubic", mass ? "stiffness per mass" : "stiffness",
      with_deviation(curve.cubic.coefficients(1) / m, curve.cubic.deviations(1) / m),
      mass ? "1/s²" : "N/m");
  add("static, cubic", mass ? "cubic stiffness per mass" : "cubic stiffness",
      with_deviation(curve.cubic.coefficients(2) / m, curve.cubic.deviations(2) / m),
      mass ? "1/(m² s²)" : "N/m³");
  return table;
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
          "reconstructed displacement; dashed: plus and minus two standard deviations of the "
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
                           .style = Curve::Style::Dashed,
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

Table score_table(const identify::EquationComparison& comparison) {
  Table table{
      .id = "comparison",
      .title = "Compared equations",
      .header = {"equation", "parameters", "residual [m/s²]", "ΔAIC", "ΔBIC", "weight",
                 "prediction error [m/s²]", "prediction error [%]"},
      .rows = {},
      .caption =
          "Residual of the output error over the whole record; differences to the best "
          "information criterion, and the weight that AIC gives. Prediction: fitted to the "
          "first part of the record alone, error in the rest as rms and as part of the signal"};
  for (const identify::EquationScore& score : comparison.scores) {
    const auto number = [](double value) {
      return std::isfinite(value) ? significant(value, 4) : std::string("-");
    };
    std::string values;
    for (Eigen::Index k = 0; k < score.refined.parameters.size(); ++k) {
      const std::string& name = score.refined.names[static_cast<std::size_t>(k)];
      values +=
          fmt::format("{}{} = {}", k == 0 ? "" : ", ", name,
                      with_deviation(score.refined.parameters(k), score.refined.deviations(k)));
    }
    table.rows.push_back({score.name, values, number(score.refined.residual),
                          number(score.aic_difference), number(score.bic_difference),
                          number(score.weight), number(score.prediction_error),
                          number(100.0 * score.relative_prediction_error)});
  }
  return table;
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

Table record_table(const AccelerationOutcome& result, bool refined) {
  Table table{
      .id = refined ? "records-refined" : "records-regression",
      .title = refined ? "Records one by one, output error" : "Records one by one, regression",
      .header = {"record"},
      .rows = {}};
  for (const std::string& name : result.study.parameters()) table.header.push_back(name);
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const RecordFit& record = result.records[e];
    const VectorXd& values = refined ? record.refined->parameters : record.regression.parameters;
    const VectorXd& deviations =
        refined ? record.refined->deviations : record.regression.deviations;
    std::vector<std::string> row = {result.study.sources[e].file};
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      row.push_back(with_deviation(values(k), deviations(k)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table repeated_table(const std::vector<identify::RepeatedParameter>& parameters, bool refined) {
  Table table{.id = refined ? "repeated-refined" : "repeated-regression",
              .title = refined ? "Repeatability, output error" : "Repeatability, regression",
              .header = {"parameter", "mean", "spread", "spread [%]", "reported std", "χ²",
                         "degrees of freedom", "p", "consistent"},
              .rows = {},
              .caption =
                  "Spread: standard deviation over the records; reported: rms of the standard "
                  "deviations of the records. Consistent: the noise explains the spread (p of at "
                  "least 0.01)",
              .status_column = 8};
  for (const identify::RepeatedParameter& one : parameters) {
    table.rows.push_back({one.name, significant(one.mean, 6), significant(one.spread, 3),
                          significant(100.0 * one.relative_spread, 3), significant(one.reported, 3),
                          significant(one.chi_square, 4), std::to_string(one.freedom),
                          significant(one.probability, 2), one.consistent ? "ok" : "not ok"});
  }
  return table;
}

}  // namespace

Section classical_section(const AccelerationOutcome& result) {
  Section section{.title = "Classical tests", .blocks = {}};
  if (!result.has_fit()) return section;
  const RecordFit& record = result.records.front();
  section.blocks.push_back(classical_table(result));
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

Section comparison_section(const AccelerationOutcome& result) {
  Section section{.title = "Comparison of equations", .blocks = {}};
  if (!result.comparison) return section;
  std::string texts = "model: " + result.study.equations;
  for (const identify::EquationCandidate& other : result.study.options.alternatives) {
    texts += "\n" + other.name + ": " + other.equation.text;
  }
  section.blocks.push_back(Listing{.title = "Equations", .text = texts});
  section.blocks.push_back(score_table(*result.comparison));
  section.blocks.push_back(prediction_plot(result));
  return section;
}

Section repeatability_section(const AccelerationOutcome& result) {
  Section section{.title = "Repeatability", .blocks = {}};
  if (result.repeated_regression.empty()) return section;
  section.blocks.push_back(repeated_table(result.repeated_regression, false));
  section.blocks.push_back(record_table(result, false));
  if (result.repeated_refinement.empty()) return section;
  section.blocks.push_back(repeated_table(result.repeated_refinement, true));
  section.blocks.push_back(record_table(result, true));
  return section;
}

}  // namespace alembert::report
