#include "identify/acceleration/fit/acceleration_summary.hpp"

#include <fmt/format.h>

namespace alembert::identify {
namespace {

std::string parameter_lines(const AccelerationFit& fit, const RecordFit& record) {
  std::string text;
  for (std::size_t i = 0; i < fit.names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (k >= record.parameters().size()) break;
    text += fmt::format("  {:<12} {:>12.6g} +- {:<9.2g}", fit.names[i], record.parameters()(k),
                        record.deviations()(k));
    for (const auto& [name, value] : fit.truth) {
      if (name == fit.names[i]) text += fmt::format(" (true {:.6g})", value);
    }
    text += "\n";
  }
  return text;
}

std::string record_lines(const AccelerationFit& fit, std::size_t index) {
  const RecordFit& record = fit.records[index];
  const Cycles& cycles = record.diagnosis.cycles;
  std::string text = fmt::format(
      "record {}: {:.2f} cycles of {:.5g} s, amplitude {:.3g} m/s2, noise {:.2g} m/s2\n", index + 1,
      cycles.count, cycles.period, cycles.amplitude, cycles.noise);
  text += parameter_lines(fit, record);
  if (record.decrement.ok()) {
    text += fmt::format("  logarithmic decrement: damping ratio {:.4g} +- {:.2g}\n",
                        record.decrement.ratio, record.decrement.ratio_deviation);
  }
  return text;
}

std::string comparison_lines(const EquationComparison& comparison) {
  std::string text = "equations, best first\n";
  for (const Eigen::Index place : comparison.by_bic) {
    const EquationScore& score = comparison.scores[static_cast<std::size_t>(place)];
    text += fmt::format("  {:<12} delta BIC {:.4g}, prediction error {:.3g} %\n", score.name,
                        score.bic_difference, 100.0 * score.relative_prediction_error);
  }
  return text;
}

}  // namespace

std::string acceleration_summary(const AccelerationFit& fit) {
  std::string text = fit.ok() ? "" : fmt::format("{}: {}\n", to_string(fit.status), fit.message);
  for (std::size_t e = 0; e < fit.records.size(); ++e) text += record_lines(fit, e);
  if (fit.comparison) text += comparison_lines(*fit.comparison);
  for (const std::string& warning : fit.warnings) text += fmt::format("  warning: {}\n", warning);
  return text;
}

}  // namespace alembert::identify
