#include "reproductions/claims_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "alembert/document/words.hpp"

namespace alembert::reproductions {
namespace {

using document::ClaimState;
using document::count_of;
using document::count_state;
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

template <typename Has>
bool any_claim(const std::vector<Claim>& claims, const Has& has) {
  return std::any_of(claims.begin(), claims.end(), has);
}

std::string number_or_dash(const std::optional<double>& value) {
  return value ? significant(*value) : "-";
}

// A difference is neither kept nor broken.
std::string result_word(const Claim& claim) {
  if (!claim.ok) return "not ok";
  return claim.state == ClaimState::Differs ? "differs" : "ok";
}

std::string state_words(const Claim& claim) {
  return to_string(claim.state) + (claim.reason.empty() ? "" : ": " + claim.reason);
}

// Units, published and reference numbers have a column only if a claim has one.
Table claims_table(const std::vector<Claim>& claims) {
  const bool units = any_claim(claims, [](const Claim& c) { return !c.unit.empty(); });
  const bool published = any_claim(claims, [](const Claim& c) { return c.published.has_value(); });
  const bool reference = any_claim(claims, [](const Claim& c) { return c.reference.has_value(); });
  Table table{.id = "claims", .title = "Claims", .header = {"claim", "measured"}, .rows = {}};
  if (units) table.header.push_back("unit");
  if (published) table.header.push_back("published");
  if (reference) table.header.push_back("reference");
  table.caption =
      "Published: what the source prints. Reference: what a reference computation gave. A "
      "difference from a source is no failure; a promise of ours that is not kept is one";
  table.header.insert(table.header.end(), {"rule", "result", "state", "source"});
  table.status_column = static_cast<int>(table.header.size()) - 3;
  for (const Claim& claim : claims) {
    std::vector<std::string> row = {claim.name, significant(claim.measured)};
    if (units) row.push_back(pretty_unit(claim.unit));
    if (published) row.push_back(number_or_dash(claim.published));
    if (reference) row.push_back(number_or_dash(claim.reference));
    row.push_back(rule_words(claim.target));
    row.push_back(result_word(claim));
    row.push_back(state_words(claim));
    row.push_back(claim.source);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string state_counts(const std::vector<Claim>& claims) {
  return fmt::format("{}: {} reproduced, {} differ, {} beyond the source.",
                     count_of(static_cast<long long>(claims.size()), "claim"),
                     count_state(claims, ClaimState::Reproduced),
                     count_state(claims, ClaimState::Differs),
                     count_state(claims, ClaimState::Beyond));
}

Paragraph verdict(const std::vector<Claim>& claims) {
  const auto broken =
      std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return !c.ok; });
  if (broken == 0) {
    return {state_counts(claims) + " No promise is broken.", Paragraph::Kind::Good};
  }
  return {fmt::format("{} {} not kept.", state_counts(claims), broken), Paragraph::Kind::Bad};
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

bool keeps_promises(const Reproduction& reproduction) {
  return reproduction.ok() && document::all_ok(reproduction.claims);
}

}  // namespace alembert::reproductions
