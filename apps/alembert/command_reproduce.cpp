#include <fmt/format.h>

#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/simulate_report.hpp"
#include "alembert/study/reproduce.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

int list_names() {
  for (const study::ReproductionEntry& entry : study::reproductions()) {
    fmt::print("{:<16} {}\n", entry.name, entry.help);
  }
  return kDone;
}

void print_table(const study::NumberTable& table) {
  fmt::print("{}\n{:<24}", table.title, table.row_title);
  for (const std::string& column : table.columns) {
    fmt::print(" {:>14}", column);
  }
  fmt::print("\n");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    fmt::print("{:<24}", table.rows[i]);
    for (Eigen::Index j = 0; j < table.values.cols(); ++j) {
      fmt::print(" {:>14.5g}", table.values(static_cast<Eigen::Index>(i), j));
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments, Session& session) {
  if (!session.machines.is_first()) {
    return kDone;
  }
  if (arguments.name.empty()) {
    return list_names();
  }
  ProgressLine progress(session, arguments.name);
  const Stopwatch stopwatch;
  const study::Reproduction found =
      study::reproduce(arguments.name, {.full = arguments.full,
                                        .parallel = {.threads = arguments.threads,
                                                     .on_progress = progress.callback(),
                                                     .stop = &stop_on_signal()}});
  io::AtomicFolder folder(arguments.out.empty() ? std::filesystem::path(arguments.name + ".out")
                                                : arguments.out);
  study::write_reproduction(found, folder.path());
  write_report(report::claims_document(found), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    fmt::print("{}\n\n", found.title);
    for (const study::NumberTable& table : found.tables) {
      print_table(table);
    }
    print_claims(found.claims);
    fmt::print("\n{:<12} {}\n{:<12} {}\n", "time", stopwatch.text(), "report",
               (folder.target() / "report.html").string());
  }
  if (!found.ok()) {
    fmt::print(stderr, "reproduce {}: {}\n", arguments.name, found.message);
  }
  return found.ok() && study::all_ok(found.claims) ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
