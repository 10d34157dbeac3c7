#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/text.hpp"
#include "alembert/document/words.hpp"
#include "alembert/study/acceleration.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/acceleration/acceleration_keys.hpp"
#include "study/tasks/acceleration/describe_motion_record.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

// "a = 0.01067 ± 0.00012, b = 36.781 ± 0.014"
std::string values_words(const identify::RefinedEquation& refined) {
  std::vector<std::string> parts;
  for (Eigen::Index k = 0; k < refined.parameters.size(); ++k) {
    parts.push_back(
        fmt::format("{} = {}", refined.names[static_cast<std::size_t>(k)],
                    document::with_deviation(refined.parameters(k), refined.deviations(k))));
  }
  return join(parts, ", ");
}

void describe_score(const identify::EquationScore& score, ResultTree& tree) {
  tree.add("name", score.name).named("equation");
  tree.add("status", to_string(score.status));
  tree.add("names", score.refined.names);
  tree.add("values", score.refined.parameters)
      .named("parameters")
      .in_words(values_words(score.refined));
  tree.add("residual", score.refined.residual).named("residual", "m/s²");
  tree.add("aic_difference", score.aic_difference).named("ΔAIC");
  tree.add("bic_difference", score.bic_difference).named("ΔBIC");
  tree.add("weight", score.weight);
  tree.add("predicted_from", score.predicted_from);
  tree.add("prediction_error", score.prediction_error).named("prediction error", "m/s²");
  tree.add("relative_prediction_error", score.relative_prediction_error);
}

void describe_repeated(const std::vector<identify::RepeatedParameter>& parameters,
                       ResultTree& list) {
  for (const identify::RepeatedParameter& parameter : parameters) {
    ResultTree& one = list.item();
    one.add("name", parameter.name).named("parameter");
    one.add("mean", parameter.mean);
    one.add("spread", parameter.spread);
    one.add("relative_spread", parameter.relative_spread);
    one.add("reported", parameter.reported).named("reported std");
    one.add("weighted_mean", parameter.weighted_mean);
    one.add("weighted_deviation", parameter.weighted_deviation);
    one.add("chi_square", parameter.chi_square).named("χ²");
    one.add("freedom", parameter.freedom).named("degrees of freedom");
    one.add("probability", parameter.probability).named("p");
    one.add("consistent", parameter.consistent).in_words(parameter.consistent ? "ok" : "not ok");
  }
}

void describe_static_fit(const identify::StaticFit& fit, ResultTree& tree) {
  tree.add("coefficients", fit.coefficients);
  tree.add("deviations", fit.deviations);
  tree.add("residual", fit.residual);
  tree.add("aicc", fit.aicc);
}

void describe_static(const AccelerationOutcome& result, ResultTree& tree) {
  const identify::StaticCurve& curve = *result.static_curve;
  const std::optional<double>& mass = result.study.options.static_test->mass;
  tree.add("points", curve.points);
  tree.insert("mass", mass ? ResultTree(*mass) : ResultTree());
  describe_static_fit(curve.line, tree.group("line"));
  describe_static_fit(curve.cubic, tree.group("cubic"));
  tree.add("equation_force", result.equation_force);
  tree.add("f", curve.f_value);
  tree.add("p", curve.p_value);
  tree.add("cubic_better", curve.cubic_better);
}

// A row of the classical tests; without a deviation it is not known. Returns the value.
ResultTree& classical_row(const std::string& test, const std::string& quantity,
                          const std::string& unit, double value, double deviation,
                          ResultTree& list) {
  ResultTree& one = list.item();
  one.add("test", test);
  one.add("quantity", quantity);
  one.add("unit", unit);
  one.add("deviation", deviation);
  return one.add("value", value);
}

void describe_decay_tests(const identify::RecordFit& record, ResultTree& list) {
  const identify::Cycles& cycles = record.diagnosis.cycles;
  const double omega = 2.0 * std::numbers::pi / cycles.period;
  classical_row("zero crossings", "stiffness per mass", "1/s²", omega * omega,
                2.0 * omega * omega * cycles.period_deviation / cycles.period, list);
  const identify::LogDecrement& decrement = record.decrement;
  if (decrement.ok()) {
    const std::string test = "logarithmic decrement of the acceleration";
    classical_row(test, "damping ratio", "", decrement.ratio, decrement.ratio_deviation, list);
    classical_row(test, "damping per mass", "1/s", decrement.rate, decrement.rate_deviation, list);
  }
  if (record.displacement_decrement.ok()) {
    classical_row("logarithmic decrement of the displacement", "damping per mass", "1/s",
                  record.displacement_decrement.rate, std::nan(""), list);
  }
  const identify::DecayEnvelope& envelope = record.displacement_envelope;
  if (!envelope.ok() || envelope.frequency_hz.size() == 0) return;
  const std::string test = "Hilbert transform of the displacement";
  const double frequency = envelope.frequency_hz.mean();
  classical_row(test, "frequency, mean", "Hz", frequency, std::nan(""), list)
      .in_words(document::significant(frequency, 5));
  classical_row(test, "damping per mass, mean", "1/s", 2.0 * envelope.decay_rate.mean(),
                std::nan(""), list);
}

void describe_static_tests(const AccelerationOutcome& result, ResultTree& list) {
  const identify::StaticCurve& curve = *result.static_curve;
  const std::optional<double>& mass = result.study.options.static_test->mass;
  const std::string per_mass = mass ? " per mass" : "";
  const auto row = [&](const char* test, const char* quantity, const char* unit,
                       const identify::StaticFit& fit, Eigen::Index k) {
    const double m = mass.value_or(1.0);
    classical_row(test, quantity + per_mass, unit, fit.coefficients(k) / m, fit.deviations(k) / m,
                  list);
  };
  row("static, line", "stiffness", mass ? "1/s²" : "N/m", curve.line, 1);
  row("static, cubic", "stiffness", mass ? "1/s²" : "N/m", curve.cubic, 1);
  row("static, cubic", "cubic stiffness", mass ? "1/(m² s²)" : "N/m³", curve.cubic, 2);
}

void describe_motion_settings(const identify::AccelerationOptions& options, ResultTree& tree) {
  ResultTree& identify = tree.group("identify");
  describe_settings(acceleration_keys(), options, identify);
  if (options.static_test) {
    describe_settings(static_test_keys(), *options.static_test, identify.group("static"));
  }
  describe_settings(motion_channel_keys(), options, tree.group("data"));
}

// The classical tests of the first record beside each other.
void describe_classical(const AccelerationOutcome& result, ResultTree& list) {
  if (!result.has_fit()) return;
  describe_decay_tests(result.records.front(), list);
  if (result.static_curve) describe_static_tests(result, list);
}

void describe_motion_head(const AccelerationOutcome& result, ResultTree& tree) {
  const AccelerationStudy& study = result.study;
  tree.add("method", "acceleration");
  describe_ending(result, tree);
  tree.add("trusted", result.is_trusted());
  tree.add("warnings", result.warnings);
  tree.add("notes", study.notes);
  tree.add("equation", study.equation->explicit_text);
  ResultTree& columns = tree.list("columns");
  for (const ColumnUse& column : study.columns) {
    ResultTree& one = columns.item();
    one.add("name", column.name);
    one.add("column", column.column);
    one.add("column_unit", column.column_unit);
    one.add("unit", column.unit);
    one.add("factor", column.factor);
  }
}

// The parameters of each record as its best method gives them, in the form of other tasks.
void describe_estimates(const AccelerationOutcome& result, ResultTree& list) {
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const identify::RecordFit& record = result.records[e];
    const Eigen::VectorXd& values = record.parameters();
    const Eigen::VectorXd& deviations = record.deviations();
    const std::vector<std::string>& names = result.study.parameters();
    for (Eigen::Index i = 0; i < values.size() && i < deviations.size(); ++i) {
      const std::string& name = names[static_cast<std::size_t>(i)];
      const std::optional<double> truth = result.study.options.truth_of(name);
      ResultTree& one = list.item();
      one.add("name", result.records.size() == 1 ? name : fmt::format("{} {}", name, e + 1));
      one.add("value", values(i));
      one.add("deviation", deviations(i));
      if (truth) one.add("truth", *truth);
    }
  }
}

}  // namespace

document::ResultTree describe(const AccelerationOutcome& result) {
  ResultTree tree = result_head("identify", result.study.title);
  describe_motion_head(result, tree);
  ResultTree& records = tree.list("records");
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    describe_motion_record(result, e, records.item());
  }
  ResultTree& comparison =
      tree.insert("comparison", result.comparison ? ResultTree::empty_list() : ResultTree());
  if (result.comparison) {
    for (const identify::EquationScore& score : result.comparison->scores) {
      describe_score(score, comparison.item());
    }
  }
  ResultTree& repeatability = tree.group("repeatability");
  describe_repeated(result.repeated_regression, repeatability.list("regression"));
  describe_repeated(result.repeated_refinement, repeatability.list("refined"));
  ResultTree& dependent = tree.list("unit_dependence");
  for (const identify::UnitDependence& one : result.unit_dependence) {
    ResultTree& item = dependent.item();
    item.add("name", one.name).named("parameter");
    item.add("in_g", one.in_g).named("if in g, times");
  }
  ResultTree& static_test = tree.insert("static", ResultTree());
  if (result.static_curve) describe_static(result, static_test);
  describe_classical(result, tree.list("classical").not_in_file());
  describe_estimates(result, tree.list("parameters").not_in_file());
  describe_motion_settings(result.study.options, tree.group("settings"));
  return tree;
}

}  // namespace alembert::study
