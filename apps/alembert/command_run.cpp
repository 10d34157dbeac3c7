#include <fmt/format.h>

#include <functional>
#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/detail/result_files.hpp"
#include "alembert/study/result/out_folder.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "alembert/study/source_files.hpp"
#include "alembert/study/study.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

namespace fs = std::filesystem;

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
                                                     const io::AtomicFolder* folder,
                                                     const Session& session) {
  // A task that would have nothing to write is not waited for.
  const bool waits = task.keeps_parts() || folder == nullptr;
  ProgressLine progress(session, task.activity(), *context.options.stop,
                        waits ? std::function<void()>() : end_without(*folder, session));
  context.options.on_progress = progress.on_progress();
  context.options.on_best = progress.on_best();
  const Stopwatch stopwatch;
  std::unique_ptr<study::TaskResult> result = task.run(context);
  result->seconds = stopwatch.seconds();
  return result;
}

void write(const study::TaskResult& result, const RunArguments& arguments,
           io::AtomicFolder& folder) {
  result.write(folder.path());
  if (!arguments.results.empty()) {
    const std::string left_out = study::write_result_files(
        result.description(), folder.path(), study::result_files(arguments.results).value());
    if (!left_out.empty()) tell("{}: {}\n", printable(arguments.study.string()), left_out);
  }
  write_report(report::task_document(result), folder.path() / "report.html");
  folder.commit();
}

// Prints what was found and writes it. Returns the exit code.
int finish(const study::TaskResult& result, const RunArguments& arguments,
           const study::RunContext& context, io::AtomicFolder& folder, const Session& session) {
  const Verdict verdict = result.verdict();
  if (session.speaks()) say("{}{}", result.console(), study::verdict_lines(verdict));
  const int code = verdict.level == TrustLevel::Bad ? kNotSuccessful : kDone;
  if (!result.outcome().ok()) {
    tell("{}: {}\n", printable(arguments.study.string()), printable_message(result.failure()));
  } else if (code != kDone) {
    tell("{}: verdict bad: {}\n", printable(arguments.study.string()),
         printable_message(verdict.reasons.empty() ? "" : verdict.reasons.front()));
  }
  if (!result.has_parts()) {
    tell("nothing was finished, so nothing is written\n");
    return kNotSuccessful;
  }
  const Stopwatch writing;
  write(result, arguments, folder);
  tell("{}", result.settle(context));
  if (session.speaks()) {
    say("{}report       {}\n", result.written(writing.seconds()),
        (folder.target() / "report.html").string());
  }
  return code;
}

int run_task(const study::LoadedStudy& loaded, const RunArguments& arguments, const StopFlag& stop,
             const Session& session) {
  const study::TaskStudy& task = *loaded.study;
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
    say("{}", task.heading());
    static_cast<void>(flush_out());  // What follows may take long.
  }
  const std::unique_ptr<study::TaskResult> result =
      run_with_progress(task, context, folder.get(), session);
  if (!first) return kDone;
  result->trace = study::trace_of(loaded, arguments.study.parent_path());
  return finish(*result, arguments, context, *folder, session);
}

// A run replaces the folder of its result: what the study reads must not be in it.
void refuse_own_input(const study::LoadedStudy& loaded, const std::filesystem::path& out) {
  const std::string reason = study::reason_against_out(out, loaded.files);
  if (reason.empty()) return;
  throw StudyError({.file = out.string()}, reason + "; choose another result folder with --out");
}

// Errors of the study that a run shows get a place in it, and lose the names of functions.
template <typename Call>
int with_place(const study::LoadedStudy& loaded, const Call& call) {
  try {
    return call();
  } catch (const DataError& error) {
    throw DataError(study::known_place(error.place(), loaded), error.reason());
  } catch (const StudyError& error) {
    throw StudyError(study::known_place(error.place(), loaded), error.reason());
  } catch (const InvalidInput& error) {
    throw StudyError(loaded.place, error.reason());
  }
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
  return with_memory_of(arguments.study, [&] {
    const study::LoadedStudy loaded = study::load_study(arguments.study, load_options(arguments));
    if (!loaded.problems.empty()) return print_problems(loaded.problems, session);
    refuse_own_input(loaded, out_folder(arguments));
    return with_place(loaded, [&] { return run_task(loaded, arguments, stop, session); });
  });
}

}  // namespace alembert::app
