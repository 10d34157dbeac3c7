#include <fmt/format.h>

#include <cstdlib>

#include "alembert/io/atomic_folder.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "reproductions/claims_document.hpp"
#include "reproductions/registry.hpp"
#include "terminal/terminal.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

int list_names() {
  for (const reproductions::ReproductionEntry& entry : reproductions::reproductions()) {
    say("{:<16} {}\n", entry.name, entry.help);
  }
  return kDone;
}

// Records of public benchmarks are not shipped.
std::filesystem::path data_folder(const ReproduceArguments& arguments) {
  const char* variable = std::getenv("ALEMBERT_DATA");
  return arguments.data.empty() && variable != nullptr ? std::filesystem::path(variable)
                                                       : arguments.data;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments, Session& session) {
  if (!session.machines.is_first()) {
    return kDone;
  }
  if (arguments.name.empty()) {
    return list_names();
  }
  // An unknown name must not leave a folder, and a folder that cannot be written must not cost the
  // work.
  static_cast<void>(reproductions::find_reproduction(arguments.name));
  io::AtomicFolder folder(
      arguments.out.empty() ? std::filesystem::path(arguments.name + ".out") : arguments.out,
      study::reason_to_keep);
  const Stopwatch stopwatch;
  const reproductions::Reproduction found = [&] {
    // Gone before anything else is printed.
    ProgressLine progress(session, arguments.name, stop_on_signal(), end_without(folder, session));
    return reproductions::reproduce(arguments.name,
                                    {.full = arguments.full,
                                     .data = data_folder(arguments),
                                     .parallel = {.threads = arguments.threads,
                                                  .on_progress = progress.on_progress(),
                                                  .stop = &stop_on_signal()}});
  }();
  reproductions::write_reproduction(found, folder.path());
  write_report(reproductions::claims_document(found), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    say("{}\n\n", found.title);
    for (const document::Table& table : found.tables) {
      print_table(table);
    }
    print_claims(found.claims);
    say("\n{:<12} {}\n{:<12} {}\n", "time", stopwatch.text(), "report",
        (folder.target() / "report.html").string());
  }
  if (!found.ok()) {
    tell("reproduce {}: {}\n", arguments.name, found.message);
  }
  return reproductions::keeps_promises(found) ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
