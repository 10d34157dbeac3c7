#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/page/vocabulary.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using study::IdentifyResult;

// One figure of M, D and K in per cent.
void add_share_columns(const std::string& figure, const std::string& words,
                       std::vector<ResultColumn>& columns) {
  const std::pair<const char*, const char*> matrices[] = {
      {"mass", "M"}, {"damping", "D"}, {"stiffness", "K"}};
  for (const auto& [key, letter] : matrices) {
    columns.push_back({.path = figure + "/" + key,
                       .heading = fmt::format("{} {} [%]", letter, words),
                       .digits = 3,
                       .factor = 100.0,
                       .unknown = ""});
  }
}

Table comparison_table(const IdentifyResult& result) {
  const bool truth = result.study.settings.truth.has_value();
  Table table{.id = "comparison",
              .title = "Methods on the same data",
              .header = {},
              .rows = {},
              .caption =
                  "Differences to the first method, relative to its norm. Residual: rms over "
                  "all outputs, each by the noise that the first method found there; 1 is "
                  "as good as the first"};
  if (truth) table.caption += ". Errors are against the true matrices";
  std::vector<ResultColumn> columns = {{.path = "name"}};
  add_share_columns("difference", "differs", columns);
  if (truth) add_share_columns("error", "error", columns);
  columns.insert(columns.end(),
                 {{.path = "residual", .unknown = ""}, {.path = "iterations"}, {.path = "status"}});
  const document::ResultTree tree = describe(result);
  table.header = headings_of(*tree.find("comparison"), columns);
  table.rows = cells_of(*tree.find("comparison"), columns, significant);
  return table;
}

Plot history_of_cost(const identify::Refinement& refinement, double samples) {
  const auto count = static_cast<Eigen::Index>(refinement.cost_history.size());
  Curve curve{
      .name = "cost",
      .x = Eigen::VectorXd::LinSpaced(count, 0.0, static_cast<double>(count - 1)),
      .y = Eigen::Map<const Eigen::VectorXd>(refinement.cost_history.data(), count) / samples};
  Curve points = curve;
  points.style = Curve::Style::Points;
  points.name = "iteration";
  curve.group = points.group = "cost";
  return {.id = "iterations",
          .title = "Cost over the iterations of the refinement",
          .x_label = "iteration",
          .y_label = "cost / number of samples",
          .log_y = true,
          .curves = {std::move(curve), std::move(points)},
          .caption =
              "Mean square of the residuals, each by the noise of its sensor as estimated at "
              "that iteration; it may rise where the estimate of the noise changes"};
}

Table window_table(const identify::StartEstimate& start) {
  Table table{.id = "windows",
              .title = "Windows tried by the weak form",
              .header = {"window [s]", "simulated output error"},
              .rows = {},
              .caption = "Error as rms, each output by its own rms; the smallest is taken"};
  for (const identify::WindowTrial& trial : start.windows) {
    table.rows.push_back({significant(trial.window, 3), std::isfinite(trial.cost)
                                                            ? significant(trial.cost, 4)
                                                            : std::string("failed")});
  }
  return table;
}

Table candidate_table(const identify::StartEstimate& start) {
  Table table{.id = "candidates",
              .title = "Candidates of the start for partial sensing",
              .header = {"candidate", "cost", "band ratio", "limit", "accepted", "status"},
              .rows = {},
              .caption =
                  "Cost relative to the best; a candidate is accepted if what it leaves "
                  "unexplained in the band of the modes does not stand above the noise"};
  for (const identify::Candidate& one : start.candidates) {
    table.rows.push_back({one.description, significant(one.cost, 4), significant(one.band_ratio, 3),
                          significant(one.band_limit, 3), one.accepted ? "yes" : "no",
                          std::string(to_string(one.outcome.status))});
  }
  return table;
}

Plot singular_plot(const identify::StartEstimate& start) {
  const Eigen::Index count = std::min<Eigen::Index>(start.singular_values.size(), 100);
  return {.id = "singular-values",
          .title = "Singular values of the subspace step",
          .x_label = "number",
          .y_label = "singular value",
          .log_y = true,
          .curves = {{.name = "singular values",
                      .x = Eigen::VectorXd::LinSpaced(count, 1.0, static_cast<double>(count)),
                      .y = start.singular_values.head(count),
                      .style = Curve::Style::Points}},
          .caption = "A gap behind the order shows a clear choice",
          .markers = {{static_cast<double>(start.order), "order"}}};
}

}  // namespace

Section identify_method_section(const IdentifyResult& result) {
  Section section{.title = "Estimation details", .blocks = {}};
  const identify::StartEstimate& start = result.start;
  std::string text = fmt::format("Start: {}.", start.words);
  if (!start.message.empty()) text += " " + start.message + ".";
  if (result.study.settings.refine && result.has_system()) {
    text += fmt::format(" Refinement: {}, condition of the scaled sensitivities {}.",
                        count_of(result.refinement.iterations, "iteration"),
                        significant(result.refinement.condition, 3));
  }
  section.blocks.push_back(Paragraph{text});
  if (!result.comparison.empty()) section.blocks.push_back(comparison_table(result));
  if (result.refinement.cost_history.size() > 1) {
    section.blocks.push_back(history_of_cost(
        result.refinement,
        static_cast<double>(identify::measured_samples(result.study.data.experiments))));
  }
  if (!start.windows.empty()) section.blocks.push_back(window_table(start));
  if (!start.candidates.empty()) section.blocks.push_back(candidate_table(start));
  if (start.singular_values.size() > 1) section.blocks.push_back(singular_plot(start));
  return section;
}

}  // namespace alembert::report
