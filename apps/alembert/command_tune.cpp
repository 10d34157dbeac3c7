#include <fmt/format.h>

#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "alembert/study/study.hpp"
#include "alembert/study/task.hpp"
#include "alembert/study/tune_observe.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

// What was found, the lines to paste, and the verdict on an observer with these levels.
void print_tuning(const study::ObserveTuning& tuning) {
  say("{}\n{}\n", study::tuning_console(tuning), study::tuned_lines(tuning));
  say("or          alembert run {} {}\n", tuning.study.file.string(),
      study::tuned_arguments(tuning));
  say("{}", study::verdict_lines(tuning.tuned.verdict));
}

// Shows the time that has passed, and answers Ctrl-C at once.
study::ObserveTuning tune_with_progress(const study::ObserveStudy& study,
                                        const TuneArguments& arguments, const Session& session) {
  const StopFlag& stop = stop_on_signal();
  ProgressLine progress(session, "tune", stop, {});
  return study::tune_observe(study, arguments.sigmas,
                             {.on_progress = progress.on_progress(), .stop = &stop});
}

}  // namespace

int tune_command(const TuneArguments& arguments, Session& session) {
  if (!session.machines.is_first()) return kDone;  // one machine does it all
  study::LoadOptions options;
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  const study::LoadedStudy loaded = study::load_study(arguments.study, options);
  if (!loaded.problems.empty()) return print_problems(loaded.problems, session);
  const auto* observe = loaded.as<study::ObserveStudy>();
  if (observe == nullptr) {
    throw StudyError({.file = arguments.study.string()},
                     "the study has no table [observe]: only observers have noise levels to tune");
  }
  // Made before the work, so that a folder that cannot be written is known at once.
  std::unique_ptr<io::AtomicFolder> folder;
  if (!arguments.out.empty()) {
    folder = std::make_unique<io::AtomicFolder>(arguments.out, study::reason_to_keep);
  }
  const study::ObserveTuning tuning = tune_with_progress(*observe, arguments, session);
  if (!tuning.ok()) {
    tell("{}: {}\n", arguments.study.string(), tuning.message);
    return kNotSuccessful;
  }
  if (session.speaks()) {
    print_tuning(tuning);
  } else {
    say("{}", study::tuned_lines(tuning));
  }
  if (folder) {
    study::write_tuning(tuning, folder->path());
    folder->commit();
  }
  return tuning.tuned.verdict.level == TrustLevel::Bad ? kNotSuccessful : kDone;
}

}  // namespace alembert::app
