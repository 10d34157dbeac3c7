#include "reproductions/claims_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/parts/words.hpp"

namespace alembert::reproductions {
namespace {

using report::count_of;
using report::Curve;
using report::Document;
using report::Paragraph;
using report::Plot;
using report::pretty_unit;
using report::Section;
using report::significant;
using report::Table;

// "<= 1.2" reads better as "≤ 1.2".
std::string rule_words(std::string rule) {
  const std::pair<std::string, std::string> words[] = {
      {"<=", "\u2264"}, {">=", "\u2265"}, {"==", "="}, {"+-", "\u00b1"}, {" .. ", " to "}};
  for (const auto& [from, to] : words) {
    const std::size_t at = rule.find(from);
    if (at != std::string::npos) rule.replace(at, from.size(), to);
  }
  return rule;
}

// Units and published numbers have a column only if a claim has one.
Table claims_table(const std::vector<Claim>& claims) {
  const bool units =
      std::any_of(claims.begin(), claims.end(), [](const Claim& c) { return !c.unit.empty(); });
  const bool published = std::any_of(claims.begin(), claims.end(),
                                     [](const Claim& c) { return c.published.has_value(); });
  Table table{.id = "claims", .title = "Claims", .header = {"claim", "measured"}, .rows = {}};
  if (units) table.header.push_back("unit");
  if (published) {
    table.header.push_back("published");
    table.caption = "Published is the number of the source, where it prints one";
  }
  table.header.insert(table.header.end(), {"rule", "result"});
  table.status_column = static_cast<int>(table.header.size()) - 1;
  for (const Claim& claim : claims) {
    std::vector<std::string> row = {claim.name, significant(claim.measured)};
    if (units) row.push_back(pretty_unit(claim.unit));
    if (published) row.push_back(claim.published ? significant(*claim.published) : "-");
    row.push_back(rule_words(claim.target));
    row.push_back(claim.ok ? "ok" : "not ok");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Paragraph verdict(const std::vector<Claim>& claims) {
  const auto held =
      std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.ok; });
  const auto all = static_cast<long long>(claims.size());
  if (held == all) {
    return {fmt::format("All {} hold.", count_of(all, "claim")), Paragraph::Kind::Good};
  }
  return {fmt::format("{} of {} do not hold.", all - held, count_of(all, "claim")),
          Paragraph::Kind::Bad};
}

Table number_table(const NumberTable& source) {
  Table table{.id = source.id,
              .title = source.title,
              .header = {source.row_title},
              .rows = {},
              .caption = source.caption};
  table.header.insert(table.header.end(), source.columns.begin(), source.columns.end());
  for (std::size_t i = 0; i < source.rows.size(); ++i) {
    std::vector<std::string> row = {source.rows[i]};
    for (Eigen::Index j = 0; j < source.values.cols(); ++j) {
      const double value = source.values(static_cast<Eigen::Index>(i), j);
      row.push_back(std::isnan(value) ? "" : significant(value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Plot figure_plot(const Figure& figure) {
  Plot plot{.id = figure.id,
            .title = figure.title,
            .x_label = figure.x_label,
            .y_label = figure.y_label,
            .log_x = figure.log_x,
            .log_y = figure.log_y,
            .curves = {},
            .caption = figure.caption};
  for (const Series& series : figure.series) {
    plot.curves.push_back({.name = series.name,
                           .x = series.x,
                           .y = series.y,
                           .style = series.points ? Curve::Style::Points : Curve::Style::Line});
  }
  return plot;
}

Section outcome_section(const Reproduction& reproduction) {
  Section section{.title = "Claims", .blocks = {}};
  if (!reproduction.ok()) {
    section.blocks.push_back(
        Paragraph{fmt::format("{}: {}", to_string(reproduction.status), reproduction.message),
                  Paragraph::Kind::Bad});
  }
  if (!reproduction.claims.empty()) {
    section.blocks.push_back(verdict(reproduction.claims));
    section.blocks.push_back(claims_table(reproduction.claims));
  }
  return section;
}

}  // namespace

Document claims_document(const Reproduction& reproduction) {
  Document document{.title = reproduction.title.empty() ? reproduction.name : reproduction.title,
                    .subtitle = reproduction.source.empty() ? "" : "After " + reproduction.source,
                    .facts = {},
                    .sections = {}};
  Section asked{.title = "What was asked", .blocks = {}};
  if (!reproduction.summary.empty()) asked.blocks.push_back(Paragraph{reproduction.summary});
  Section tables{.title = "Tables", .blocks = {}};
  for (const NumberTable& table : reproduction.tables) {
    tables.blocks.push_back(number_table(table));
  }
  Section figures{.title = "Figures", .blocks = {}};
  for (const Figure& figure : reproduction.figures) {
    figures.blocks.push_back(figure_plot(figure));
  }
  for (Section section : {asked, outcome_section(reproduction), tables, figures}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::reproductions
