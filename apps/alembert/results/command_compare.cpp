#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "alembert/core/error.hpp"
#include "alembert/report/comparison_report.hpp"
#include "alembert/study/result/compare_results.hpp"
#include "commands.hpp"
#include "help_page.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

void print_block(const document::Block& block) {
  if (const auto* table = std::get_if<document::Table>(&block)) {
    print_text_table(*table);
  } else if (const auto* paragraph = std::get_if<document::Paragraph>(&block)) {
    say("{}\n\n", wrapped(paragraph->text, 0));
  }
}

// An earlier page may be replaced, any other file that is there may be somebody's data or a result.
void refuse_to_replace(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return;
  static const std::string kPage = "<!DOCTYPE html>";
  std::string begin(kPage.size(), ' ');
  std::ifstream(file, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == kPage) return;
  throw DataError({.file = file.string()},
                  "exists and is no page of a report; choose another name for --html");
}

}  // namespace

int compare_command(const CompareArguments& arguments, Session& session) {
  if (!session.machines.is_first()) return kDone;
  refuse_to_replace(arguments.html);
  const study::ResultComparison comparison = study::compare_results(
      study::read_result_summary(arguments.first), study::read_result_summary(arguments.second));
  if (session.speaks()) {
    for (const document::Section& section : report::comparison_document(comparison).sections) {
      for (const document::Block& block : section.blocks) print_block(block);
    }
  }
  if (arguments.html.empty()) return kDone;
  write_report(report::comparison_document(comparison, study::read_result_signals(comparison.first),
                                           study::read_result_signals(comparison.second)),
               arguments.html);
  if (session.speaks()) say("report       {}\n", arguments.html.string());
  return kDone;
}

}  // namespace alembert::app
