#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/document/known.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/model_section.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using study::IdentifyResult;

constexpr Eigen::Index kLargestNumberTable = 10;  // rows of a matrix shown with deviations
constexpr Eigen::Index kLargestGrid = 400;
constexpr std::size_t kMostPairs = 40;
constexpr double kNormal95 = 1.959963984540054;

std::string percent(double share) { return significant(100.0 * share, 2) + " %"; }

std::string definite_words(const Definiteness& found) {
  return found.positive_definite       ? "positive definite"
         : found.positive_semidefinite ? "positive semidefinite"
                                       : "indefinite";
}

Paragraph ending_words(const IdentifyResult& result) {
  if (!result.ok()) {
    return {fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad};
  }
  const model::SecondOrderCheck& check = result.definiteness;
  std::string text =
      fmt::format("The identification succeeded. M is {}, D {}, K {}.", definite_words(check.mass),
                  definite_words(check.damping), definite_words(check.stiffness));
  return {text};
}

// What to trust, from the covariance, the residuals and the held-back data.
std::string trust_words(const IdentifyResult& result) {
  std::string text;
  if (result.expected_error) {
    const Eigen::Vector3d& error = *result.expected_error;
    text += fmt::format(
        "As a whole M is known to {}, D to {} and K to {} (one standard deviation "
        "relative to the norm).",
        percent(error(0)), percent(error(1)), percent(error(2)));
  } else {
    text += "Without refinement there are no standard deviations.";
  }
  if (result.ok() && !result.outputs.empty()) {  // of a fit that failed no number is valid
    text += " " + whiteness_words(result.outputs, "the standard deviations may be too small");
  }
  if (result.validation) {
    double lowest = 100.0;
    for (const identify::ResidualVerdict& one : result.validation->outputs) {
      lowest = std::min(lowest, one.fit);
    }
    text += fmt::format(" {} held-back samples are predicted with a fit of {:.1f} % or better.",
                        grouped(result.study.validation.samples()), lowest);
  }
  return text;
}

struct Coverage95 {
  Eigen::Index inside = 0, all = 0;
};

// Entries of the lower triangle whose 95 % interval holds the truth; known ones do not count.
void count_covered(const Eigen::MatrixXd& values, const Eigen::MatrixXd& deviations,
                   const Eigen::MatrixXd& truth, Coverage95& count) {
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    for (Eigen::Index i = j; i < values.rows(); ++i) {
      if (!(deviations(i, j) > 0.0)) continue;
      ++count.all;
      if (std::abs(values(i, j) - truth(i, j)) <= kNormal95 * deviations(i, j)) ++count.inside;
    }
  }
}

void add_truth(const IdentifyResult& result, Section& section) {
  if (!result.error) return;
  const Eigen::Vector3d& error = *result.error;
  std::string text = fmt::format("Against the true matrices M is off by {}, D by {} and K by {}.",
                                 percent(error(0)), percent(error(1)), percent(error(2)));
  if (result.deviations.M.size() > 0 && result.study.settings.truth) {
    const identify::Matrices& truth = *result.study.settings.truth;
    const model::SecondOrder& system = result.refinement.system;
    Coverage95 count;
    count_covered(system.M, result.deviations.M, truth.M, count);
    count_covered(system.D, result.deviations.D, truth.D, count);
    count_covered(system.K, result.deviations.K, truth.K, count);
    text += fmt::format(" The 95 % intervals hold the truth in {} of {} entries.", count.inside,
                        count.all);
  }
  section.blocks.push_back(Paragraph{text});
}

Table matrix_table(const std::string& id, const std::string& title, const Eigen::MatrixXd& values,
                   const Eigen::MatrixXd& deviations, const std::vector<std::string>& names,
                   const std::string& unit) {
  Table table{.id = id, .title = with_unit(title, pretty_unit(unit)), .header = {""}, .rows = {}};
  table.header.insert(table.header.end(), names.begin(), names.end());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    std::vector<std::string> row = {names[static_cast<std::size_t>(i)]};
    // The other triangle repeats this one.
    for (Eigen::Index j = 0; j <= i; ++j) {
      row.push_back(with_deviation(values(i, j), deviations(i, j)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_matrix(const IdentifyResult& result, const std::string& id, const std::string& title,
                const Eigen::MatrixXd& values, const Eigen::MatrixXd& deviations,
                const std::string& unit, Section& section) {
  const std::vector<std::string>& names = result.study.model.coordinates;
  const Eigen::Index n = values.rows();
  if (deviations.size() > 0 && n <= kLargestNumberTable) {
    section.blocks.push_back(matrix_table(id + "-table", title, values, deviations, names, unit));
  }
  if (n > kLargestGrid || n < 2) return;
  section.blocks.push_back(MatrixView{.id = id,
                                      .title = title,
                                      .values = values,
                                      .row_names = names,
                                      .column_names = names,
                                      .unit = unit});
  if (deviations.size() == 0 || n <= kLargestNumberTable) return;
  section.blocks.push_back(MatrixView{.id = id + "-deviation",
                                      .title = title + ", standard deviations",
                                      .values = deviations,
                                      .row_names = names,
                                      .column_names = names,
                                      .unit = unit});
}

void add_unknowns(const IdentifyResult& result, Section& section) {
  const identify::Parametrisation& unknowns = result.study.settings.unknowns;
  const Eigen::Index n = unknowns.degrees_of_freedom;
  const identify::Refinement& refinement = result.refinement;
  const bool free = !unknowns.proportional_damping && unknowns.size() == 3 * n * (n + 1) / 2;
  if (free || refinement.theta.size() != unknowns.size() || unknowns.size() > 200) return;
  Table table{.id = "unknowns",
              .title = "The unknowns themselves",
              .header = {"unknown", "value", "relative std [%]"},
              .rows = {}};
  for (Eigen::Index i = 0; i < unknowns.size(); ++i) {
    const double value = refinement.theta(i);
    const double deviation = std::sqrt(document::entry(refinement.covariance, i, i));
    table.rows.push_back({unknowns.names[static_cast<std::size_t>(i)],
                          with_deviation(value, deviation),
                          significant(100.0 * deviation / std::abs(value), 2)});
  }
  section.blocks.push_back(std::move(table));
}

void add_pairs(const IdentifyResult& result, Section& section) {
  if (result.pairs.empty()) {
    if (!result.study.settings.refine) return;
    section.blocks.push_back(Paragraph{"No two unknowns have a correlation above 0.95."});
    return;
  }
  Table table{.id = "correlated",
              .title = "Correlated unknowns",
              .header = {"first", "second", "correlation"},
              .rows = {},
              .caption =
                  "Correlation of the estimates above 0.95 in size; such a pair is known in "
                  "combination better than one by one"};
  for (std::size_t i = 0; i < std::min(kMostPairs, result.pairs.size()); ++i) {
    const identify::CorrelatedPair& pair = result.pairs[i];
    table.rows.push_back({pair.first, pair.second, fixed(pair.correlation, 3)});
  }
  if (result.pairs.size() > kMostPairs) {
    table.caption += fmt::format("; the first {} of {}", kMostPairs, result.pairs.size());
  }
  section.blocks.push_back(std::move(table));
}

}  // namespace

Section identify_verdict_section(const IdentifyResult& result) {
  Section section{.title = "Verdict", .blocks = {}};
  section.blocks.push_back(ending_words(result));
  for (const identify::DataRemark& remark : result.study.remarks) {
    section.blocks.push_back(
        Paragraph{remark.channel.empty() ? remark.text : remark.channel + " " + remark.text,
                  Paragraph::Kind::Warning});
  }
  if (result.has_system()) {
    section.blocks.push_back(Paragraph{trust_words(result)});
    add_truth(result, section);
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section identify_matrix_section(const IdentifyResult& result) {
  Section section{.title = "Mass, damping and stiffness", .blocks = {}};
  if (!result.has_system()) return section;
  const model::SecondOrder& system = result.refinement.system;
  const MatrixUnits units = matrix_units(result.study.model);
  section.blocks.push_back(Paragraph{fmt::format(
      "M q\u2033 + D q\u2032 + K q = L u with {}: {}.",
      count_of(result.study.settings.unknowns.size(), "unknown"), result.study.structure)});
  if (result.deviations.M.size() > 0) {
    section.blocks.push_back(
        Paragraph{"Each entry with its standard deviation; the upper triangle is the same."});
  }
  add_matrix(result, "mass", "Mass M", system.M, result.deviations.M, units.mass, section);
  add_matrix(result, "damping", "Damping D", system.D, result.deviations.D, units.damping, section);
  add_matrix(result, "stiffness", "Stiffness K", system.K, result.deviations.K, units.stiffness,
             section);
  add_unknowns(result, section);
  add_pairs(result, section);
  return section;
}

}  // namespace alembert::report
