#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/text.hpp"
#include "alembert/report/output_error_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/signals/measured_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/parts/whiteness_words.hpp"
#include "report/tasks/output_error/output_error_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
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
std::string estimate_words(const OutputErrorOutcome& result, const ResultTree& tree) {
  std::vector<std::string> followed;
  for (const ResultTree& output : tree.at("outputs").entries()) {
    const std::string unit = output.at("unit").words();
    followed.push_back(fmt::format("{} to {}{} rms (fit {} %)", output.text("name"),
                                   significant(output.number("residual_rms"), 3),
                                   unit.empty() ? "" : " " + unit,
                                   identify::fit_words(output.number("fit"))));
  }
  std::string text = "The simulation follows " + join(followed, ", ") + ".";
  const optimize::EstimateStatistics& statistics = result.estimate.trusted();
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

Section output_error_verdict(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Verdict", .blocks = {}};
  section.blocks.push_back(
      result.ok() ? Paragraph{"The search converged."}
                  : Paragraph{fmt::format("{}: {}", to_string(result.status), result.message),
                              Paragraph::Kind::Bad});
  if (result.has_prediction()) {
    section.blocks.push_back(Paragraph{estimate_words(result, tree)});
    // Of a search that failed no number is valid.
    if (result.ok()) {
      section.blocks.push_back(Paragraph{whiteness_words(
          result.estimate.outputs,
          "the standard deviations allow for that, as far as the model itself is right")});
    }
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Table parameter_table(const ResultTree& parameters) {
  return with_rows(
      {.id = "parameters",
       .title = "Parameters",
       .header = {},
       .caption =
           "Value with its standard deviation, which allows for coloured residuals; white: what it "
           "would be if they were white. The interval is by Student's t"},
      parameters,
      {{.path = "name"},
       {.path = "unit"},
       {.path = "value", .deviation = "deviation", .unknown = ""},
       {.path = "relative_deviation",
        .heading = "relative std [%]",
        .digits = 3,
        .factor = 100.0,
        .number_text = known_or_blank,
        .unknown = ""},
       {.path = "white_deviation", .digits = 3, .number_text = known_or_blank, .unknown = ""},
       {.path = "interval"},
       {.path = "start", .number_text = known_or_blank, .unknown = ""},
       {.path = "role"}});
}

// The state at the first sample of each experiment, where it was free.
Table start_table(const OutputErrorOutcome& result) {
  const std::vector<std::string>& states = result.study.model.states();
  const Eigen::MatrixXd& starts = result.estimate.prediction.starts;
  const Eigen::MatrixXd& deviations = result.estimate.start_deviations;
  Table table{.id = "starts",
              .title = "States at the first sample",
              .header = {"experiment"},
              .rows = {},
              .caption = "Free: fitted to each experiment together with the parameters"};
  table.header.insert(table.header.end(), states.begin(), states.end());
  for (Eigen::Index e = 0; e < starts.cols(); ++e) {
    std::vector<std::string> row = {fmt::format("{}", e + 1)};
    for (Eigen::Index j = 0; j < starts.rows(); ++j) {
      row.push_back(document::with_deviation(starts(j, e), deviations(j, e)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section output_error_parameters(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Parameters", .blocks = {}};
  section.blocks.push_back(parameter_table(tree.at("parameters")));
  if (result.estimate.start_deviations.size() > 0) section.blocks.push_back(start_table(result));
  const optimize::EstimateStatistics& statistics = result.estimate.trusted();
  if (statistics.names.size() > 1) {
    section.blocks.push_back(MatrixView{.id = "correlation",
                                        .title = "Correlation of the estimates",
                                        .values = statistics.correlation,
                                        .row_names = statistics.names,
                                        .column_names = statistics.names});
    section.blocks.push_back(Paragraph{
        fmt::format("Condition of the scaled sensitivities: {}. Poorly known direction: {}.",
                    significant(statistics.condition, 3), statistics.weakest.words)});
  }
  return section;
}

Table fit_table(const std::string& id, const std::string& title, const ResultTree& outputs) {
  return with_rows({.id = id,
                    .title = title,
                    .header = {},
                    .caption = "Fit: 100 (1 - |y - \u0177| / |y - mean y|). Whiteness: Ljung-Box "
                               "statistic over its 95 % bound"},
                   outputs,
                   {{.path = "name", .heading = "output"},
                    {.path = "unit"},
                    {.path = "residual_rms", .unknown = ""},
                    {.path = "fit", .digits = 2, .number_text = fixed, .unknown = ""},
                    {.path = "whiteness", .digits = 2, .number_text = fixed},
                    {.path = "whiteness_p", .digits = 2}});
}

std::string outlier_sentence(const OutputErrorOutcome& result) {
  const std::string words = outlier_words(result, result.study.data.experiments);
  const bool loss = result.study.options.output_error.loss != identify::Loss::Squares;
  return fmt::format("{}. {}", words,
                     loss ? fmt::format("The loss {} keeps them from deciding.",
                                        name_of(result.study.options.output_error.loss))
                          : "They lie far outside of the record and are left out.");
}

// The farthest ones; all are in the result.
Table outlier_table(const ResultTree& outliers) {
  constexpr std::size_t kMostRows = 30;
  ResultTree shown = ResultTree::empty_list();
  for (std::size_t k = 0; k < std::min(kMostRows, outliers.entries().size()); ++k) {
    shown.item(outliers.entries()[k]);
  }
  return with_rows({.id = "outliers",
                    .title = "Outliers",
                    .header = {},
                    .caption = "The farthest first; all of them are in result.json"},
                   shown,
                   {{.path = "output"},
                    {.path = "experiment"},
                    {.path = "sample"},
                    {.path = "time", .digits = 6},
                    {.path = "value"},
                    {.path = "residual"},
                    {.path = "deviations", .digits = 3}});
}

Section output_error_fit(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Measured and simulated", .blocks = {}};
  if (!result.has_prediction()) return section;
  const OutputErrorStudy& study = result.study;
  section.blocks.push_back(fit_table("outputs", "Outputs", tree.at("outputs")));
  if (study.data.experiments.size() > 1) {
    section.blocks.push_back(
        Paragraph{fmt::format("Plots over time show the first of {} experiments, {}.",
                              study.data.experiments.size(), study.data.sources.front().file)});
  }
  for (Plot& plot : driving_plots(study)) section.blocks.push_back(std::move(plot));
  for (Plot& plot : simulation_plots(study, study.data, result.estimate.prediction, "history")) {
    section.blocks.push_back(std::move(plot));
  }
  if (!tree.at("outliers").entries().empty()) {
    section.blocks.push_back(Paragraph{outlier_sentence(result)});
    section.blocks.push_back(outlier_table(tree.at("outliers")));
  }
  section.blocks.push_back(output_error_correlation(result));
  if (!result.inputs.empty()) section.blocks.push_back(output_error_input_correlation(result));
  return section;
}

// Where the simulation of the held-back data begins.
std::string start_words(const identify::ValidationSettings& settings) {
  if (settings.window > 0.0 && settings.ahead) {
    return fmt::format(
        "Windows of {} s: each goes on from where the one before ends, whose state is fitted with "
        "the parameters held. The first one of a record is not scored.",
        significant(settings.window, 3));
  }
  if (settings.window > 0.0) {
    return fmt::format(
        "Windows of {} s, each from the state that fits it best with the parameters held.",
        significant(settings.window, 3));
  }
  switch (settings.start) {
    case identify::ValidationStart::Periodic:
      return "The simulation is the steady state of a periodic input.";
    case identify::ValidationStart::Estimate:
      return fmt::format(
          "The state at the first sample is fitted to the first {} with the parameters held.",
          count_of(settings.start_samples, "sample"));
    case identify::ValidationStart::Free:
      return "The state at the first sample is fitted to the whole experiment with the parameters "
             "held.";
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

Section output_error_validation(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Held-back data", .blocks = {}};
  if (!result.validation || !result.validation->prediction.ok()) return section;
  const identify::ValidationSettings& settings = result.study.options.validation;
  const std::string scored =
      settings.skip == 0
          ? ""
          : fmt::format(" The first {} of each experiment {} not scored.",
                        count_of(settings.skip, "sample"), settings.skip == 1 ? "is" : "are");
  section.blocks.push_back(Paragraph{start_words(settings) + scored});
  section.blocks.push_back(fit_table("validation",
                                     "Simulation of data that took no part in the identification",
                                     tree.at("validation/outputs")));
  for (Plot& plot : simulation_plots(result.study, result.study.validation,
                                     result.validation->prediction, "validation")) {
    section.blocks.push_back(std::move(plot));
  }
  return section;
}

Section output_error_comparison(const ResultTree& scores) {
  Section section{.title = "Other equations", .blocks = {}};
  if (scores.entries().empty()) return section;
  section.blocks.push_back(with_rows(
      {.id = "comparison",
       .title = "Sets of equations for the same data",
       .header = {},
       .caption = "Residual: geometric mean of the rms of the outputs. \u0394AIC and \u0394BIC "
                  "count unknowns against residuals, 0 is best; above 10 a set is hardly the "
                  "right one. Held-back data decide where there are any"},
      scores,
      {{.path = "name"},
       {.path = "unknowns"},
       {.path = "residual", .digits = 4, .unknown = ""},
       {.path = "aic_difference", .digits = 4, .unknown = ""},
       {.path = "bic_difference", .digits = 4, .unknown = ""},
       {.path = "held_back", .digits = 4, .number_text = known_or_blank, .unknown = ""},
       {.path = "status"}}));
  return section;
}

// How the search got from the guess to the optimum, where that took more than one way.
Table trials_table(const ResultTree& trials) {
  return with_rows({.id = "trials", .title = "Ways from the guess", .header = {}}, trials,
                   {{.path = "strategy"},
                    {.path = "cost", .digits = 6},
                    {.path = "evaluations"},
                    {.path = "status"}});
}

Table optima_table(const OutputErrorStudy& study, const ResultTree& optima) {
  std::vector<document::ResultColumn> columns = {{.path = "cost", .digits = 6, .unknown = ""},
                                                 {.path = "hits"}};
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    columns.push_back(
        {.path = fmt::format("values/{}", i), .heading = study.parameters[i].name, .unknown = ""});
  }
  return with_rows({.id = "optima", .title = "Where the searches ended", .header = {}}, optima,
                   columns);
}

Section output_error_search(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Model and search", .blocks = {}};
  const identify::OutputErrorResult& estimate = result.estimate;
  section.blocks.push_back(Listing{.title = "Equations", .text = result.study.equations});
  std::string words =
      fmt::format("{} simulations of all data by {}. {}, inputs {}", grouped(estimate.evaluations),
                  to_string(result.study.options.output_error.search.solver),
                  study::integrator_words(result.simulation), name_of(result.simulation.between));
  if (result.has_prediction()) {
    words += fmt::format("; finer steps change the simulation by {} of the residual",
                         significant(estimate.step_error, 2));
  }
  section.blocks.push_back(Paragraph{words + "."});
  const ResultTree& trials = tree.at("search/trials");
  if (trials.entries().size() > 1) section.blocks.push_back(trials_table(trials));
  const ResultTree& lengths = tree.at("search/window_lengths");
  if (!lengths.entries().empty()) {
    section.blocks.push_back(with_rows(
        {.id = "window-lengths",
         .title = "Lengths of windows",
         .header = {},
         .caption = "The longest one whose residuals have at most twice the least variance is "
                    "taken: faults of the model do not add up beyond the noise there"},
        lengths, {{.path = "length", .digits = 4}, {.path = "variance", .digits = 4}}));
  }
  const ResultTree& holds = tree.at("search/holds");
  if (!holds.entries().empty()) {
    section.blocks.push_back(with_rows(
        {.id = "holds",
         .title = "Inputs between samples",
         .header = {},
         .caption = "Geometric mean over the outputs of the rms of their residuals. The study does "
                    "not say what the inputs do between samples; the best is taken where it is "
                    "clearly better"},
        holds, {{.path = "between"}, {.path = "residual", .digits = 5}, {.path = "used"}}));
  }
  const ResultTree& optima = tree.at("search/optima");
  if (optima.entries().empty()) return section;
  section.blocks.push_back(optima_table(result.study, optima));
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

// Beside no model the signals stand alone.
Section signals_section(const OutputErrorOutcome& result) {
  const study::MeasuredData& data = result.study.data;
  if (result.has_prediction() || data.sources.empty()) return {};
  const identify::Experiment& first = data.experiments.front();
  return measured_section(
      data.sources.front().start_time, first.step,
      measured_signals(result.study.inputs, result.study.outputs, first.input, first.output));
}

}  // namespace

Document output_error_document(const OutputErrorOutcome& result) {
  check::at_least("output_error_document", "number of experiments",
                  static_cast<long long>(result.study.data.experiments.size()), 1);
  const OutputErrorStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = output_error_subtitle(study),
                    .facts = output_error_facts(result),
                    .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {output_error_verdict(result, tree), output_error_parameters(result, tree),
        output_error_profiles(result, tree), output_error_fit(result, tree),
        signals_section(result), output_error_validation(result, tree),
        output_error_comparison(tree.at("comparison")), output_error_search(result, tree),
        asked_section(study.file, study.text, study.overrides), output_error_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
