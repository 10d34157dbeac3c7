#include "report/parts/study_sections.hpp"

#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "alembert/core/version.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::report {

Section asked_section(const std::filesystem::path& file, const std::string& text,
                      const std::vector<std::string>& overrides) {
  Section section{.title = "What was asked", .blocks = {}};
  if (!overrides.empty()) {
    section.blocks.push_back(
        Paragraph{fmt::format("Changed on the command line: {}.", join(overrides, ", "))});
  }
  section.blocks.push_back(Listing{file.filename().string(), text});
  return section;
}

Section files_section(const std::vector<std::pair<std::string, std::string>>& files) {
  Table table{.id = "files",
              .title = "Files beside this report",
              .header = {"file", "content"},
              .rows = {{"result.json", "all results as numbers, with documented keys"}}};
  for (const auto& [name, content] : files) {
    table.rows.push_back({name, content});
  }
  return {.title = "Files", .blocks = {std::move(table)}};
}

namespace {

// "Made by Anna Berg for Mill Ltd."; "" if neither is given.
std::string made_by(const study::StudyTrace& trace) {
  if (trace.author.empty() && trace.customer.empty()) return {};
  const std::string author = trace.author.empty() ? "" : " by " + trace.author;
  const std::string customer = trace.customer.empty() ? "" : " for " + trace.customer;
  return "Made" + author + customer + ". ";
}

}  // namespace

Section traceability_section(const study::StudyTrace& trace) {
  Table table{.id = "sources",
              .title = "Files that were read",
              .header = {"file", "bytes", "SHA-256"},
              .rows = {}};
  for (const study::SourceFile& file : trace.files) {
    table.rows.push_back({file.name, grouped(static_cast<long long>(file.bytes)),
                          file.sha256.empty() ? "not computed" : file.sha256});
  }
  return {.title = "Traceability",
          .blocks = {Paragraph{fmt::format(
                         "{}Computed by Alembert {}. The same files, options and version give the "
                         "same result. Options that differ from their defaults stand in the study "
                         "above; all options that were used stand under settings in result.json.",
                         made_by(trace), version())},
                     std::move(table)}};
}

std::string file_range(const std::string& stem, std::size_t first, std::size_t last,
                       std::size_t count) {
  std::string name = study::record_file_name(stem, first, count);
  if (first == last) return name;
  return fmt::format("{} \u2026 {}", name, study::record_file_name(stem, last, count));
}

}  // namespace alembert::report
