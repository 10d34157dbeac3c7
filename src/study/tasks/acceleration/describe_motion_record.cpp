#include "study/tasks/acceleration/describe_motion_record.hpp"

#include <cmath>
#include <optional>

#include "alembert/core/text.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

double known_entry(const Eigen::VectorXd& values, std::size_t index) {
  const auto i = static_cast<Eigen::Index>(index);
  return i < values.size() ? values(i) : std::nan("");
}

void describe_trend(const identify::AmplitudeTrend& trend, ResultTree& tree) {
  tree.add("at_zero", trend.at_zero);
  tree.add("slope", trend.slope);
  tree.add("deviation", trend.deviation);
}

// The errors are relative to the truth; NaN without one.
void describe_refined_parameter(const identify::RefinedEquation& refined, std::size_t i,
                                double truth, ResultTree& tree) {
  const double value = known_entry(refined.parameters, i);
  const double deviation = known_entry(refined.deviations, i);
  tree.add("value", value).named("output error");
  tree.add("deviation", deviation);
  tree.add("share", deviation / std::abs(value)).not_in_file();
  tree.add("error", (value - truth) / std::abs(truth)).not_in_file();
  tree.add("error_in_deviations", (value - truth) / deviation).not_in_file();
}

void describe_motion_parameter(const AccelerationOutcome& result, const identify::RecordFit& record,
                               std::size_t i, ResultTree& tree) {
  const std::string& name = result.study.parameters()[i];
  const std::optional<double> truth = result.study.options.truth_of(name);
  const identify::AccelerationRegression& regression = record.regression;
  const double value = known_entry(regression.parameters, i);
  const double deviation = known_entry(regression.deviations, i);
  tree.add("name", name).named("parameter");
  tree.add("linear", static_cast<bool>(result.study.equation->linear[i]));
  ResultTree& by_windows = tree.group("regression");
  by_windows.add("value", value).named("regression");
  by_windows.add("spread", known_entry(regression.spread, i)).named("spread over windows");
  by_windows.add("deviation", deviation);
  const double true_value = truth.value_or(std::nan(""));
  by_windows.add("error", (value - true_value) / std::abs(true_value)).not_in_file();
  if (i < regression.trends.size()) {
    describe_trend(regression.trends[i], by_windows.group("trend"));
  }
  ResultTree& refined = tree.insert("refined", ResultTree());
  double difference = std::nan("");
  if (record.refined) {
    describe_refined_parameter(*record.refined, i, true_value, refined);
    difference =
        (refined.number("value") - value) / std::hypot(deviation, refined.number("deviation"));
  }
  if (truth) tree.add("truth", *truth).named("true");
  tree.add("difference", difference).named("difference", "std").not_in_file();
}

void describe_diagnosis(const identify::RecordDiagnosis& diagnosis, ResultTree& tree) {
  const identify::Cycles& cycles = diagnosis.cycles;
  tree.add("cycle", cycles.period);
  tree.add("cycle_deviation", cycles.period_deviation);
  tree.add("cycles", cycles.count);
  tree.add("amplitude", cycles.amplitude).named("amplitude", "m/s²");
  tree.add("noise", cycles.noise).named("noise", "m/s²");
  tree.add("snr_db", 20.0 * std::log10(cycles.amplitude / (std::sqrt(2.0) * cycles.noise)))
      .named("SNR", "dB")
      .not_in_file();
  tree.add("offset", diagnosis.offset).named("offset", "m/s²");
  tree.add("drift", diagnosis.drift).named("drift", "m/s²");
  std::vector<std::string> faults;
  ResultTree& findings = tree.list("findings");
  for (const identify::RecordFinding& finding : diagnosis.findings) {
    ResultTree& one = findings.item();
    one.add("fault", to_string(finding.fault));
    one.add("fatal", finding.fatal);
    one.add("text", finding.text);
    faults.emplace_back(to_string(finding.fault));
  }
  findings.in_words(faults.empty() ? "none" : join(faults, ", "));
  ResultTree& peaks = tree.list("peaks");
  for (const identify::SpectralPeak& peak : diagnosis.peaks) {
    ResultTree& one = peaks.item();
    one.add("frequency_hz", peak.frequency_hz);
    one.add("amplitude", peak.amplitude);
  }
}

ResultTree described_decrement(const identify::LogDecrement& decrement) {
  ResultTree tree;
  if (!decrement.ok()) return tree;
  tree.add("decrement", decrement.decrement);
  tree.add("decrement_deviation", decrement.decrement_deviation);
  tree.add("damping_ratio", decrement.ratio);
  tree.add("damping_ratio_deviation", decrement.ratio_deviation);
  tree.add("rate", decrement.rate);
  tree.add("rate_deviation", decrement.rate_deviation);
  tree.add("bend", decrement.bend);
  ResultTree& course = tree.list("course");
  for (const identify::CycleDamping& cycle : decrement.course) {
    ResultTree& one = course.item();
    one.add("time", cycle.time);
    one.add("amplitude", cycle.amplitude);
    one.add("damping_ratio", cycle.ratio);
    one.add("deviation", cycle.ratio_deviation);
  }
  return tree;
}

void describe_regression(const identify::AccelerationRegression& regression, ResultTree& tree) {
  const identify::IntegratedSignals& signals = regression.signals;
  tree.add("status", to_string(regression.status));
  tree.add("message", regression.message);
  tree.add("windows", regression.windows.size());
  tree.add("failed", regression.failed);
  tree.add("cycle", signals.cycle);
  tree.add("snr_db", signals.snr_db);
  tree.add("smoothed", signals.smoothed);
  tree.add("offset", regression.offset);
  tree.add("offset_deviation", regression.offset_deviation);
  tree.add("offset_fitted", regression.offset_fitted);
  tree.add("remarks", regression.remarks);
  describe_trend(regression.stiffness_trend, tree.group("stiffness_trend"));
  describe_trend(regression.damping_trend, tree.group("damping_trend"));
}

void describe_refined_equation(const identify::RefinedEquation& refined, ResultTree& tree) {
  tree.add("status", to_string(refined.status));
  tree.add("message", refined.message);
  tree.add("x0", refined.x0);
  tree.add("x0_deviation", refined.x0_deviation);
  tree.add("v0", refined.v0);
  tree.add("v0_deviation", refined.v0_deviation);
  tree.add("offset", refined.offset);
  tree.add("offset_deviation", refined.offset_deviation);
  tree.add("offset_fitted", refined.offset_fitted);
  tree.add("residual", refined.residual);
  tree.add("aic", refined.aic);
  tree.add("bic", refined.bic);
  tree.add("evaluations", refined.search.evaluations);
}

void describe_missing_terms(const identify::RecordFit& record, ResultTree& list) {
  for (const identify::MissingTerm& term : record.missing_terms) {
    ResultTree& one = list.item();
    one.add("term", term.text);
    one.add("coefficient", term.coefficient);
    one.add("deviation", term.deviation);
    one.add("freedom", term.freedom);
    one.add("shift", term.shift);
  }
}

}  // namespace

void describe_motion_record(const AccelerationOutcome& result, std::size_t e, ResultTree& tree) {
  const identify::RecordFit& record = result.records[e];
  const identify::AccelerationRecord& data = result.study.records[e];
  const auto file = [&](const char* stem) {
    return record_file_name(stem, e + 1, result.records.size());
  };
  tree.add("source", result.study.sources[e].file).named("record");
  tree.add("start", data.start_time);
  tree.add("step", data.step);
  tree.add("samples", data.samples());
  if (record.motion.ok() && record.fitted.size() > 0) {
    tree.group("motion").add("file", file("motion"));
  }
  if (!record.regression.windows.empty()) tree.group("windows").add("file", file("windows"));
  describe_diagnosis(record.diagnosis, tree.group("diagnosis"));
  ResultTree& parameters = tree.list("parameters");
  for (std::size_t i = 0; i < result.study.parameters().size(); ++i) {
    describe_motion_parameter(result, record, i, parameters.item());
  }
  ResultTree& regression = tree.insert("regression", ResultTree());
  if (!record.regression.names.empty()) describe_regression(record.regression, regression);
  ResultTree& refinement = tree.insert("refinement", ResultTree());
  if (record.refined) describe_refined_equation(*record.refined, refinement);
  describe_missing_terms(record, tree.list("missing_terms"));
  tree.insert("logarithmic_decrement", described_decrement(record.decrement));
  tree.insert("displacement_decrement", described_decrement(record.displacement_decrement));
}

}  // namespace alembert::study
