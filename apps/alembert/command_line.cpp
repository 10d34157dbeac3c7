#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "alembert/core/printable.hpp"
#include "alembert/core/text.hpp"
#include "alembert/core/version.hpp"
#include "alembert/study/detail/result_files.hpp"
#include "alembert/study/detail/template.hpp"
#include "build/build_facts.hpp"
#include "commands.hpp"
#include "help_page.hpp"
#include "terminal/completion.hpp"
#include "terminal/terminal.hpp"
#include "usage_error.hpp"

namespace alembert::app {

struct CommandLine::Arguments {
  RunArguments run;
  ObserveArguments observe;
  TuneArguments tune;
  bool stream = false;
  ExportArguments exported;
  CheckArguments check;
  NewArguments new_study;
  DataArguments info;
  ConvertArguments convert;
  OpenArguments open;
  CompareArguments compare;
  ReproduceArguments reproduce;
  KeysArguments keys;
  std::string shell;
  bool quiet = false;
};

namespace {

void add_memory(CLI::App& command, double& megabytes) {
  command
      .add_option("--memory", megabytes,
                  "memory that the numbers of a file may take; default: half of the machine's")
      ->type_name("MB")
      ->check(CLI::Range(1.0, 1e9).description(""));
}

void add_data_options(CLI::App& command, DataArguments& data) {
  command.add_option("--time", data.time, "name of the time column")->type_name("COLUMN");
  command.add_option("--step", data.step, "time between samples in s, for a file without time")
      ->type_name("S");
  command
      .add_option("--dataset", data.dataset, "variable or group of a .mat, .h5, .npz or .tdms file")
      ->type_name("VARIABLE");
  command
      .add_option("--channel", data.channels, "read only this channel; may be given several times")
      ->type_name("CHANNEL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_memory(command, data.memory);
}

void add_run(CLI::App& app, RunArguments& run, bool& quiet) {
  CLI::App* command = app.add_subcommand("run", "Run a study and write its results and report.");
  command->add_option("STUDY", run.study, "the study, a TOML file")->required();
  command->add_option("--out", run.out, "where to write; default: the study's name with .out")
      ->type_name("DIR");
  command
      ->add_option("--set", run.changes,
                   "change a key of the study by its dotted path; may be given several times")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--threads", run.threads, "threads to use; default: all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""));
  command->add_option("--seed", run.seed, "seed of all random numbers, instead of the study's")
      ->type_name("N");
  command
      ->add_option("--results", run.results,
                   "also write the whole result with its signals for other programs: mat "
                   "(result.mat), h5 (result.h5)")
      ->type_name("FORMATS")
      ->check(CLI::Validator(
          [](const std::string& list) {
            return study::result_files(list) ? std::string()
                                             : "must be mat, h5 or mat,h5, got \"" + list + "\"";
          },
          ""));
  add_memory(*command, run.memory);
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer(
      "  alembert run studies/frame-8dof/simulate.toml\n"
      "  alembert run studies/frame-8dof/identify.toml\n"
      "  alembert run beam.toml --set simulate.duration=5.0 --seed 7 --out try-7\n"
      "  mpirun -n 4 alembert run studies/frame-8dof/monte-carlo.toml\n");
}

void add_observe(CLI::App& app, ObserveArguments& observe, bool& stream, bool& quiet) {
  CLI::App* command = app.add_subcommand(
      "observe", "Estimate the motion of a mechanism live: rows in, estimates out.");
  command->add_option("STUDY", observe.study, "a study with the task [observe], a TOML file")
      ->required();
  command
      ->add_flag("--stream", stream,
                 "read rows of readings (CSV with a header) from standard input and write a row "
                 "of estimates for each to standard output at once; the worst latency is told at "
                 "the end")
      ->required();
  command->add_option("--set", observe.changes, "change a key of the study by its dotted path")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--skip-bad", observe.skip_bad,
                    "leave out rows that cannot be read, and count them");
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer("  read-sensors | alembert observe --stream crank.toml > motion.csv\n");
}

void add_tune(CLI::App& app, TuneArguments& tune, bool& quiet) {
  CLI::App* command = app.add_subcommand(
      "tune", "Find the noise levels of an observer from its record, as lines for the study.");
  command->add_option("STUDY", tune.study, "a study with the task [observe], a TOML file")
      ->required();
  command->add_option("--set", tune.changes, "change a key of the study by its dotted path")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--out", tune.out, "write result.json into this new folder")
      ->type_name("FOLDER");
  command->add_flag("--sigma", tune.sigmas, "find the sigma of every sensor too");
  command->add_flag("--quiet", quiet, "print the lines for the study only");
  command->footer("  alembert tune studies/two-link/observe.toml\n");
}

void add_export(CLI::App& app, ExportArguments& exported, bool& quiet) {
  CLI::App* command = app.add_subcommand(
      "export", "Write the model of a study as C without dependencies, as FMU or as matrices.");
  command->add_option("STUDY", exported.study, "the study, a TOML file")->required();
  command
      ->add_option("--to", exported.format,
                   "c (a folder with a source, a header and a test that replays the record), fmu "
                   "(a unit of FMI 2.0), mat or npz (the matrices of a linear model)")
      ->required()
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"c", "fmu", "mat", "npz"}).description(""));
  command
      ->add_option("--out", exported.out,
                   "where to write; default: the study's name with "
                   "-c for a folder, with .fmu, .mat or .npz for a file")
      ->type_name("PATH");
  command
      ->add_option("--name", exported.name,
                   "name of the program and of all that it defines; default: that of the study")
      ->type_name("NAME");
  command->add_option("--precision", exported.precision, "numbers of the program: double or float")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"double", "float"}).description(""));
  command
      ->add_option("--step", exported.step, "time between samples in s, for a study that has none")
      ->type_name("S");
  command
      ->add_option("--set", exported.changes,
                   "change a key of the study by its dotted path; may be given several times")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--force", exported.force, "replace a file that exists");
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer(
      "  alembert export studies/tanks/simulate.toml --to c --out tanks-c\n"
      "  alembert export studies/frame-8dof/simulate.toml --to npz\n");
}

void add_check(CLI::App& app, CheckArguments& check, bool& quiet) {
  CLI::App* command =
      app.add_subcommand("check", "Check studies without running them: file:line:column: message.");
  command->add_option("STUDY", check.studies, "the studies, TOML files")->required();
  command->add_option("--set", check.changes, "change a key of the study by its dotted path")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_memory(*command, check.memory);
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer("  alembert check studies/*/*.toml\n");
}

void add_new(CLI::App& app, NewArguments& new_study, bool& quiet) {
  CLI::App* command = app.add_subcommand("new", "Write a commented study to begin from.");
  const std::vector<study::TemplateKind> known = study::template_kinds();
  std::vector<std::string> kinds;
  kinds.reserve(known.size());
  for (const study::TemplateKind& kind : known) {
    kinds.push_back(kind.name);
  }
  command->add_option("KIND", new_study.kind, "what to ask for: " + join(kinds, ", "))->required();
  command->add_option("DATA", new_study.data.file,
                      "a data file; its channels and rate fill the study");
  command->add_option("-o,--out", new_study.out, "file to write; default: standard output")
      ->type_name("FILE");
  add_data_options(*command, new_study.data);
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer(
      "  alembert new simulate -o chain.toml && alembert run chain.toml\n"
      "  alembert new simulate forces.csv -o forced.toml\n"
      "  alembert new identify record.csv -o identify.toml\n");
}

void add_info(CLI::App& app, DataArguments& info) {
  CLI::App* command = app.add_subcommand(
      "info", "Show what is in a data file: channels, rates, gaps, spectra at a glance.");
  command
      ->add_option("DATA", info.file,
                   "a data file: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm "
                   ".wav .tdms")
      ->required();
  add_data_options(*command, info);
  command->footer(
      "  alembert info record.csv\n"
      "  alembert info tanks.csv --step 4\n");
}

void add_convert(CLI::App& app, ConvertArguments& convert, bool& quiet) {
  CLI::App* command =
      app.add_subcommand("convert", "Write the records of a data file in another format.");
  command->add_option("FROM", convert.from.file, "a data file, as for info")->required();
  command
      ->add_option("TO", convert.to,
                   "file to write; its ending says the format: .csv .txt .dat .tsv .mat .h5 .hdf5 "
                   ".uff .unv .npz")
      ->required();
  add_data_options(*command, convert.from);
  command->add_flag("--force", convert.force, "replace a file that exists");
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer(
      "  alembert convert tap.lvm tap.csv\n"
      "  alembert convert mast.npy mast.mat --step 0.00390625\n");
}

void add_open(CLI::App& app, OpenArguments& open) {
  CLI::App* command = app.add_subcommand("open", "Open the report of a result in the browser.");
  command
      ->add_option("RESULT", open.result,
                   "a result folder, its report, or the study that was run; without a desktop the "
                   "path is printed only")
      ->required();
  command->add_flag("--print", open.print, "print the path of the report and open nothing");
  command->footer("  alembert open beam.out\n");
}

void add_compare(CLI::App& app, CompareArguments& compare, bool& quiet) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two results: numbers with intervals, fits, verdicts, settings.");
  command->add_option("RESULT", compare.first, "a result folder")->required();
  command->add_option("OTHER", compare.second, "the result folder to compare it with")->required();
  command->add_option("--html", compare.html, "also write a page with plots")->type_name("FILE");
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer(
      "  alembert compare monday.out tuesday.out\n"
      "  alembert compare cubic.out linear.out --html holds.html\n");
}

void add_doctor(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "doctor", "Check this machine: versions, compiler, kernels, optional parts.");
  command->footer("  alembert doctor\n");
}

void add_reproduce(CLI::App& app, ReproduceArguments& reproduce, bool& quiet) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Compute a published table or figure anew, next to the published numbers.");
  command->add_option("NAME", reproduce.name, "which one; without it: list the names");
  command->add_flag("--full", reproduce.full, "full size instead of the version under 60 s");
  command->add_option("--out", reproduce.out, "where to write; default: NAME.out")
      ->type_name("DIR");
  command
      ->add_option("--data", reproduce.data,
                   "folder of public benchmark records; default: $ALEMBERT_DATA")
      ->type_name("DIR");
  command->add_option("--threads", reproduce.threads, "threads to use; default: all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""));
  command->add_flag("--quiet", quiet, "print errors only");
  command->footer("  alembert reproduce discretisation\n");
}

void add_keys(CLI::App& app, KeysArguments& keys) {
  CLI::App* command = app.add_subcommand("keys", "Show the keys that a study may have.");
  command->add_option("TABLE", keys.table, "only this table and those below it");
  command->add_flag("--markdown", keys.markdown, "as Markdown, all tables");
  command->footer("  alembert keys simulate.sensors\n");
}

void add_completion(CLI::App& app, std::string& shell) {
  CLI::App* command = app.add_subcommand("completion", "Print a script for shell completion.");
  command->add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  command->footer("  source <(alembert completion bash)\n");
}

int print_completion(const CLI::App& app, const std::string& shell) {
  say("{}", shell == "bash"  ? bash_completion(app)
            : shell == "zsh" ? zsh_completion(app)
                             : fish_completion(app));
  return kDone;
}

}  // namespace

CommandLine::CommandLine()
    : arguments_(std::make_unique<Arguments>()),
      app_(std::make_unique<CLI::App>(
          "Alembert turns measured motion into mechanical models you can trust. A study, one TOML "
          "file, says what was measured, what moves and what is asked.",
          "alembert")) {
  app_->set_help_flag("-h,--help", "show this help");
  app_->set_version_flag("--version", "alembert " + std::string(version()),
                         "show the version, commit and libraries");
  app_->require_subcommand(1);
  app_->footer(
      "  alembert new simulate -o chain.toml\n"
      "  alembert run chain.toml\n"
      "  alembert COMMAND --help\n");
  add_run(*app_, arguments_->run, arguments_->quiet);
  add_observe(*app_, arguments_->observe, arguments_->stream, arguments_->quiet);
  add_tune(*app_, arguments_->tune, arguments_->quiet);
  add_export(*app_, arguments_->exported, arguments_->quiet);
  add_check(*app_, arguments_->check, arguments_->quiet);
  add_new(*app_, arguments_->new_study, arguments_->quiet);
  add_info(*app_, arguments_->info);
  add_convert(*app_, arguments_->convert, arguments_->quiet);
  add_open(*app_, arguments_->open);
  add_compare(*app_, arguments_->compare, arguments_->quiet);
  add_reproduce(*app_, arguments_->reproduce, arguments_->quiet);
  add_keys(*app_, arguments_->keys);
  add_doctor(*app_);
  add_completion(*app_, arguments_->shell);
}

CommandLine::~CommandLine() = default;

int CommandLine::run(std::vector<std::string> arguments, Session& session) {
  // `alembert help run` is what people type who know git.
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  try {
    check_command_name(*app_, arguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app_->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app_->get_subcommands();
    if (session.speaks()) {
      say("{}", help_page(chosen.empty() ? *app_ : *chosen.front()));
    }
    return kDone;
  } catch (const CLI::CallForVersion&) {
    if (session.speaks()) {
      say("{}", version_text());
    }
    return kDone;
  } catch (const CLI::ParseError& error) {
    fail(session, printable_message(usage_message(*app_, arguments, error)), kBadUsage);
  }
  session.quiet = arguments_->quiet;
  const std::string command = app_->get_subcommands().front()->get_name();
  if (command == "run") {
    return run_command(arguments_->run, session);
  }
  if (command == "observe") {
    return with_memory_of(arguments_->observe.study,
                          [&] { return observe_command(arguments_->observe, session); });
  }
  if (command == "tune") {
    return with_memory_of(arguments_->tune.study,
                          [&] { return tune_command(arguments_->tune, session); });
  }
  if (command == "export") {
    return with_memory_of(arguments_->exported.study,
                          [&] { return export_command(arguments_->exported, session); });
  }
  if (command == "check") {
    return with_memory_of(arguments_->check.studies.front(),
                          [&] { return check_command(arguments_->check, session); });
  }
  if (command == "new") {
    return with_memory_of(arguments_->new_study.data.file,
                          [&] { return new_command(arguments_->new_study, session); });
  }
  if (command == "info") {
    return with_memory_of(arguments_->info.file,
                          [&] { return info_command(arguments_->info, session); });
  }
  if (command == "convert") {
    return with_memory_of(arguments_->convert.from.file,
                          [&] { return convert_command(arguments_->convert, session); });
  }
  if (command == "open") {
    return open_command(arguments_->open, session);
  }
  if (command == "compare") {
    return with_memory_of(arguments_->compare.first,
                          [&] { return compare_command(arguments_->compare, session); });
  }
  if (command == "doctor") {
    return doctor_command(session);
  }
  if (command == "reproduce") {
    return reproduce_command(arguments_->reproduce, session);
  }
  if (command == "keys") {
    return keys_command(arguments_->keys, session);
  }
  return print_completion(*app_, arguments_->shell);
}

}  // namespace alembert::app
