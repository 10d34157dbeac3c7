#include <fmt/format.h>

#include <filesystem>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/study/detail/console.hpp"
#include "alembert/study/export_study.hpp"
#include "alembert/study/result/out_folder.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

namespace fs = std::filesystem;

bool is_program(const ExportArguments& arguments) { return arguments.format == "c"; }

// Beside the study: STUDY-c, STUDY.mat.
fs::path target_of(const ExportArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  if (is_program(arguments)) {
    return arguments.study.parent_path() / (arguments.study.stem().string() + "-c");
  }
  return fs::path(arguments.study).replace_extension("." + arguments.format);
}

study::LoadedStudy load(const ExportArguments& arguments) {
  study::LoadOptions options;
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  return study::load_study(arguments.study, options);
}

study::StudyExport make(const study::LoadedStudy& loaded, const ExportArguments& arguments,
                        const Session& session) {
  const StopFlag& stop = stop_on_signal();
  ProgressLine progress(session, "export", stop, {});
  const study::RunContext context{.machines = session.machines,
                                  .options = {.on_progress = progress.on_progress(), .stop = &stop},
                                  .memory = machine_memory()};
  study::ExportOptions options;
  options.name = arguments.name;
  options.precision = *enum_named<model::CNumber>(arguments.precision);
  options.step = arguments.step;
  return study::export_study(loaded, options, context);
}

std::string operations_text(const model::OperationCount& count) {
  std::string text = fmt::format("{} sums, {} products", count.sums, count.products);
  if (count.divisions > 0) text += fmt::format(", {} divisions", count.divisions);
  if (count.functions > 0) text += fmt::format(", {} functions", count.functions);
  if (count.lookups > 0) text += fmt::format(", {} look-ups", count.lookups);
  return text;
}

std::string size_text(const std::vector<code::Signal>& signals, const char* what) {
  return study::counted(static_cast<long long>(signals.size()), what);
}

void print(const study::StudyExport& found, const fs::path& target, bool program) {
  const code::Program& made = found.program;
  say("{}", study::step_line(
                "model",
                fmt::format("{}: {}, {}, {}", found.kind, size_text(made.inputs, "input"),
                            size_text(made.states, "state"), size_text(made.outputs, "output")),
                ""));
  if (program) {
    say("{}", study::step_line("step", "at most " + operations_text(made.cost.step), ""));
    say("{}", study::step_line("memory",
                               fmt::format("{} bytes kept, variables of {} bytes on the "
                                           "stack",
                                           made.cost.state_bytes, made.cost.stack_bytes),
                               ""));
  }
  for (const std::string& note : found.notes) say("{}", study::step_line("note", note, ""));
  say("{}", study::step_line("written", printable(target.string()), ""));
  if (!program) return;
  const std::string& name = made.options.name;
  say("try it       cd {} && cc -O2 {}.c {}_test.c -lm && ./a.out {}_record.txt\n",
      printable(target.string()), name, name, name);
}

int write_all(const study::LoadedStudy& loaded, const ExportArguments& arguments,
              const Session& session) {
  const fs::path target = target_of(arguments);
  const std::string reason = study::reason_against_out(target, loaded.files);
  if (!reason.empty()) {
    throw StudyError({.file = target.string()}, reason + "; choose another place with --out");
  }
  study::StudyExport found = make(loaded, arguments, session);
  study::write_export(found, *enum_named<study::ExportFormat>(arguments.format), target,
                      arguments.force);
  if (session.speaks()) print(found, target, is_program(arguments));
  return kDone;
}

}  // namespace

int export_command(const ExportArguments& arguments, Session& session) {
  if (!session.machines.is_first()) return kDone;  // one machine does it all
  const study::LoadedStudy loaded = load(arguments);
  if (!loaded.problems.empty()) return print_problems(loaded.problems, session);
  return write_all(loaded, arguments, session);
}

}  // namespace alembert::app
