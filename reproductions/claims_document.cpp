#include "reproductions/claims_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/document/words.hpp"

namespace alembert::reproductions {
namespace {

using document::count_of;
using document::Document;
using document::Paragraph;
using document::pretty_unit;
using document::Section;
using document::significant;

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
  for (const Table& table : reproduction.tables) tables.blocks.push_back(table);
  Section figures{.title = "Figures", .blocks = {}};
  for (const Plot& figure : reproduction.figures) figures.blocks.push_back(figure);
  for (Section section : {asked, outcome_section(reproduction), tables, figures}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::reproductions
