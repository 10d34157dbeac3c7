#include <fmt/format.h>

#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "alembert/study/study.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

study::LoadOptions load_options(const RunArguments& arguments) {
  study::LoadOptions options;
  options.overrides.reserve(arguments.changes.size());
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  options.seed = arguments.seed;
  options.memory = bytes_of(arguments.memory);
  return options;
}

// What is shown while a task runs is gone before anything else is printed.
std::unique_ptr<study::TaskResult> run_with_progress(const study::TaskStudy& task,
                                                     study::RunContext context,
                                                     const Session& session) {
  ProgressLine progress(session, task.activity());
  context.options.on_progress = progress.on_progress();
  context.options.on_best = progress.on_best();
  const Stopwatch stopwatch;
  std::unique_ptr<study::TaskResult> result = task.run(context);
  result->seconds = stopwatch.seconds();
  return result;
}

void write(const study::TaskResult& result, io::AtomicFolder& folder) {
  result.write(folder.path());
  write_report(report::task_document(result), folder.path() / "report.html");
  folder.commit();
}

// Prints what was found and writes it. Returns the exit code.
int finish(const study::TaskResult& result, const RunArguments& arguments,
           const study::RunContext& context, io::AtomicFolder& folder, const Session& session) {
  const Verdict verdict = result.verdict();
  if (session.speaks()) fmt::print("{}{}", result.console(), study::verdict_lines(verdict));
  const int code = verdict.level == TrustLevel::Bad ? kNotSuccessful : kDone;
  if (!result.outcome().ok()) {
    fmt::print(stderr, "{}: {}\n", arguments.study.string(), result.failure());
  } else if (code != kDone) {
    fmt::print(stderr, "{}: not to be trusted: {}\n", arguments.study.string(),
               verdict.reasons.front());
  }
  if (!result.has_parts()) {
    fmt::print(stderr, "nothing was finished, so nothing is written\n");
    return kNotSuccessful;
  }
  const Stopwatch writing;
  write(result, folder);
  fmt::print(stderr, "{}", result.settle(context));
  if (session.speaks()) {
    fmt::print("{}report       {}\n", result.written(writing.seconds()),
               (folder.target() / "report.html").string());
  }
  return code;
}

int run_task(const study::TaskStudy& task, const RunArguments& arguments, const StopFlag& stop,
             const Session& session) {
  const bool first = session.machines.is_first();
  if (!first && !task.spreads()) return kDone;  // One machine does it all.
  const study::RunContext context{.machines = session.machines,
                                  .options = {.threads = arguments.threads, .stop = &stop},
                                  .out = out_folder(arguments),
                                  .memory = machine_memory()};
  task.check(context);
  // Made before the work, so that a folder that cannot be written is known at once.
  std::unique_ptr<io::AtomicFolder> folder;
  if (first) folder = std::make_unique<io::AtomicFolder>(context.out, study::reason_to_keep);
  if (task.spreads()) session.machines.barrier();
  if (session.speaks()) {
    fmt::print("{}", task.heading());
    std::fflush(stdout);  // What follows may take long.
  }
  const std::unique_ptr<study::TaskResult> result = run_with_progress(task, context, session);
  return first ? finish(*result, arguments, context, *folder, session) : kDone;
}

}  // namespace

std::filesystem::path out_folder(const RunArguments& arguments) {
  if (!arguments.out.empty()) {
    return arguments.out;
  }
  return std::filesystem::path(arguments.study).replace_extension(".out");
}

int run_command(const RunArguments& arguments, Session& session) {
  const StopFlag& stop = stop_on_signal();
  const study::LoadedStudy loaded = study::load_study(arguments.study, load_options(arguments));
  if (!loaded.problems.empty()) return print_problems(loaded.problems, session);
  return run_task(*loaded.study, arguments, stop, session);
}

}  // namespace alembert::app
