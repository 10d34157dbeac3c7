#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/report/output_error_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/deviation_words.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/output_error/output_error_plots.hpp"

namespace alembert::report {
namespace {

using identify::ParameterVerdict;
using study::OutputErrorOutcome;
using study::OutputErrorStudy;

std::string output_error_subtitle(const OutputErrorStudy& study) {
  return fmt::format("{} of differential equations from {} and {}",
                     count_of(static_cast<long long>(study.parameters.size()), "parameter"),
                     count_of(static_cast<long long>(study.inputs.size()), "input"),
                     count_of(static_cast<long long>(study.outputs.size()), "measured output"));
}

std::vector<std::pair<std::string, std::string>> output_error_facts(
    const OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  std::vector<std::pair<std::string, std::string>> list = {
      {"states", grouped(static_cast<long long>(study.model.states().size()))},
      {"parameters", grouped(static_cast<long long>(study.parameters.size()))},
      {"experiments", grouped(static_cast<long long>(study.data.experiments.size()))},
      {"samples", grouped(study.data.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step())},
      {"solver", std::string(to_string(study.options.output_error.search.solver))},
      {"evaluations", grouped(result.estimate.evaluations)},
      {"status", std::string(to_string(result.status))}};
  if (!study.validation.empty()) {
    list.insert(list.begin() + 4, {"held back", grouped(study.validation.samples())});
  }
  return list;
}

// How well the outputs are followed and the parameters are known.
std::string estimate_words(const OutputErrorOutcome& result) {
  std::vector<std::string> followed;
  for (std::size_t i = 0; i < result.estimate.outputs.size(); ++i) {
    const study::ColumnUse& column = result.study.outputs[i];
    const identify::ResidualVerdict& verdict = result.estimate.outputs[i];
    const std::string& unit = column.unit.empty() ? column.column_unit : column.unit;
    followed.push_back(
        fmt::format("{} to {}{} rms (fit {} %)", column.name, significant(verdict.rms, 3),
                    unit.empty() ? "" : " " + pretty_unit(unit), identify::fit_words(verdict.fit)));
  }
  std::string text = "The simulation follows " + join(followed, ", ") + ".";
  const optimize::EstimateStatistics& statistics = result.estimate.statistics;
  const Eigen::VectorXd& relative = statistics.relative_deviations;
  if (relative.size() == 0 || !relative.allFinite()) return text;
  Eigen::Index best = 0, worst = 0;
  const double least = 100.0 * relative.minCoeff(&best), most = 100.0 * relative.maxCoeff(&worst);
  const auto known = [&](Eigen::Index i, double percent) {
    return fmt::format("{} to {} %", statistics.names[static_cast<std::size_t>(i)],
                       significant(percent, 2));
  };
  return text +
         fmt::format(" One standard deviation: {}{}.", known(best, least),
                     best == worst ? "" : " (best known), " + known(worst, most) + " (least)");
}

Section output_error_verdict(const OutputErrorOutcome& result) {
  Section section{.title = "Verdict", .blocks = {}};
  section.blocks.push_back(
      result.ok() ? Paragraph{"The search converged.", Paragraph::Kind::Good}
                  : Paragraph{fmt::format("{}: {}", to_string(result.status), result.message),
                              Paragraph::Kind::Bad});
  for (const std::string& warning : result.warnings) {
    section.blocks.push_back(Paragraph{warning, Paragraph::Kind::Warning});
  }
  if (result.has_prediction()) {
    section.blocks.push_back(Paragraph{estimate_words(result)});
    section.blocks.push_back(Paragraph{whiteness_words(
        result.estimate.outputs,
        "the robust standard deviations allow for that, as far as the model itself is right")});
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

// Ends to the digits that the width of the interval leaves.
std::string interval_words(const ParameterVerdict& verdict) {
  if (!(verdict.margin > 0.0) || !std::isfinite(verdict.margin)) return "";
  const double size = std::abs(verdict.value) + verdict.margin;
  const double digits = std::floor(std::log10(size)) - std::floor(std::log10(verdict.margin));
  const auto end = [&](double value) {
    return significant(value, static_cast<int>(std::clamp(digits + 2.0, 2.0, 12.0)));
  };
  return end(verdict.value - verdict.margin) + " .. " + end(verdict.value + verdict.margin);
}

Table parameter_table(const OutputErrorOutcome& result) {
  Table table{
      .id = "parameters",
      .title = "Parameters",
      .header = {"parameter", "unit", "value", "relative std [%]", "robust std", "95 % interval",
                 "guess", "role"},
      .rows = {},
      .caption =
          "Value with its standard deviation for white residuals; robust: for "
          "coloured ones. The interval is by the robust one if the residuals are not white"};
  for (std::size_t i = 0; i < result.study.parameters.size(); ++i) {
    const optimize::Parameter& parameter = result.study.parameters[i];
    const ParameterVerdict verdict = parameter_verdict(result, i);
    const double relative = 100.0 * verdict.deviation / std::abs(verdict.value);
    const auto number = [](double value) {
      return std::isfinite(value) ? significant(value, 3) : std::string();
    };
    table.rows.push_back({parameter.name, pretty_unit(result.study.parameter_units[i]),
                          with_deviation(verdict.value, verdict.deviation), number(relative),
                          number(verdict.robust), interval_words(verdict),
                          parameter.tie ? "" : significant(parameter.guess),
                          std::string(name_of(verdict.role))});
  }
  return table;
}

Section output_error_parameters(const OutputErrorOutcome& result) {
  Section section{.title = "Parameters", .blocks = {}};
  section.blocks.push_back(parameter_table(result));
  const optimize::EstimateStatistics& statistics = result.estimate.statistics;
  if (statistics.names.size() > 1) {
    section.blocks.push_back(MatrixView{.id = "correlation",
                                        .title = "Correlation of the estimates",
                                        .values = statistics.correlation,
                                        .row_names = statistics.names,
                                        .column_names = statistics.names});
    section.blocks.push_back(Paragraph{
        fmt::format("Condition of the scaled sensitivities: {}. What the data see least: {}.",
                    significant(statistics.condition, 3), statistics.weakest.words)});
  }
  return section;
}

Table fit_table(const OutputErrorStudy& study, const std::string& id, const std::string& title,
                const std::vector<identify::ResidualVerdict>& outputs) {
  Table table{.id = id,
              .title = title,
              .header = {"output", "unit", "residual rms", "fit [%]", "whiteness", "p-value"},
              .rows = {},
              .caption =
                  "Fit: 100 (1 - |y - \u0177| / |y - mean y|). Whiteness: Ljung-Box "
                  "statistic over its 95 % bound"};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const study::ColumnUse& column = study.outputs[i];
    const std::string& unit = column.unit.empty() ? column.column_unit : column.unit;
    const bool judged = !std::isnan(outputs[i].whiteness_p);
    table.rows.push_back({column.name, pretty_unit(unit), significant(outputs[i].rms),
                          fixed(outputs[i].fit, 2), judged ? fixed(outputs[i].whiteness, 2) : "-",
                          judged ? significant(outputs[i].whiteness_p, 2) : "-"});
  }
  return table;
}

Section output_error_fit(const OutputErrorOutcome& result) {
  Section section{.title = "Measured and simulated", .blocks = {}};
  if (!result.has_prediction()) return section;
  const OutputErrorStudy& study = result.study;
  section.blocks.push_back(fit_table(study, "outputs", "Outputs", result.estimate.outputs));
  if (study.data.experiments.size() > 1) {
    section.blocks.push_back(
        Paragraph{fmt::format("Plots over time show the first of {} experiments, {}.",
                              study.data.experiments.size(), study.data.sources.front().file)});
  }
  for (Plot& plot : driving_plots(study)) section.blocks.push_back(std::move(plot));
  for (Plot& plot : simulation_plots(study, study.data, result.estimate.prediction, "history")) {
    section.blocks.push_back(std::move(plot));
  }
  section.blocks.push_back(output_error_correlation(result));
  if (!result.inputs.empty()) section.blocks.push_back(output_error_input_correlation(result));
  return section;
}

// Where the simulation of the held-back data begins.
std::string start_words(const identify::ValidationSettings& settings) {
  switch (settings.start) {
    case identify::ValidationStart::Periodic:
      return "The simulation is the steady state of a periodic input.";
    case identify::ValidationStart::Estimate:
      return fmt::format(
          "The state at the first sample is fitted to the first {} with the parameters held.",
          count_of(settings.start_samples, "sample"));
    case identify::ValidationStart::Data:
      return "Outputs that are states start at their first sample, the other states as in the "
             "model.";
    case identify::ValidationStart::Continue:
      return "The simulation goes on from that of the data used, without looking at the outputs.";
    case identify::ValidationStart::Model:
      break;
  }
  return "The simulation begins at the start values of the model.";
}

Section output_error_validation(const OutputErrorOutcome& result) {
  Section section{.title = "Held-back data", .blocks = {}};
  if (!result.validation || !result.validation->prediction.ok()) return section;
  const identify::ValidationSettings& settings = result.study.options.validation;
  const std::string scored =
      settings.skip == 0
          ? ""
          : fmt::format(" The first {} of each experiment {} not scored.",
                        count_of(settings.skip, "sample"), settings.skip == 1 ? "is" : "are");
  section.blocks.push_back(Paragraph{start_words(settings) + scored});
  section.blocks.push_back(fit_table(result.study, "validation",
                                     "Simulation of data that took no part in the identification",
                                     result.validation->outputs));
  for (Plot& plot : simulation_plots(result.study, result.study.validation,
                                     result.validation->prediction, "validation")) {
    section.blocks.push_back(std::move(plot));
  }
  return section;
}

// How the search got from the guess to the optimum, where that took more than one way.
Table trials_table(const identify::OutputErrorResult& estimate) {
  Table table{.id = "trials",
              .title = "Ways from the guess",
              .header = {"way", "cost", "simulations", "outcome"},
              .rows = {}};
  for (const identify::StartTrial& trial : estimate.trials) {
    table.rows.push_back({std::string(to_string(trial.strategy)),
                          std::isfinite(trial.cost) ? significant(trial.cost, 6) : "-",
                          grouped(trial.evaluations), std::string(to_string(trial.status))});
  }
  return table;
}

Section output_error_search(const OutputErrorOutcome& result) {
  Section section{.title = "Model and search", .blocks = {}};
  const identify::OutputErrorResult& estimate = result.estimate;
  section.blocks.push_back(Listing{.title = "Equations", .text = result.study.equations});
  section.blocks.push_back(Paragraph{fmt::format(
      "{} simulations of all data by {}. {}, inputs {}; finer steps change the simulation by {} of "
      "the residual.",
      grouped(estimate.evaluations), to_string(result.study.options.output_error.search.solver),
      study::integrator_words(result.study.options.output_error.simulation),
      name_of(result.study.options.output_error.simulation.between),
      significant(estimate.step_error, 2))});
  if (estimate.trials.size() > 1) section.blocks.push_back(trials_table(estimate));
  if (estimate.optima.empty()) return section;
  Table table{.id = "optima",
              .title = "Where the searches ended",
              .header = {"cost", "searches"},
              .rows = {}};
  for (const optimize::Parameter& one : result.study.parameters) table.header.push_back(one.name);
  for (const optimize::Optimum& one : estimate.optima) {
    std::vector<std::string> row = {significant(one.cost, 6), grouped(one.hits)};
    for (const double value : one.parameters) row.push_back(significant(value));
    table.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section output_error_files(const OutputErrorOutcome& result) {
  std::vector<std::pair<std::string, std::string>> files;
  if (result.has_prediction()) {
    const std::size_t count = result.study.data.experiments.size();
    files.emplace_back(file_range("prediction", 1, count, count),
                       "measured, simulated and residual signals");
  }
  if (result.validation && result.validation->prediction.ok()) {
    const std::size_t count = result.study.validation.experiments.size();
    files.emplace_back(file_range("validation", 1, count, count),
                       "the same for the held-back data");
  }
  return files_section(files);
}

}  // namespace

Document output_error_document(const OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = output_error_subtitle(study),
                    .facts = output_error_facts(result),
                    .sections = {}};
  for (Section section :
       {output_error_verdict(result), output_error_parameters(result),
        output_error_profiles(result), output_error_fit(result), output_error_validation(result),
        output_error_search(result), asked_section(study.file, study.text, study.overrides),
        output_error_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
