#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/simulate_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "alembert/study/study.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "run_acceleration.hpp"
#include "run_identification.hpp"
#include "run_monte_carlo.hpp"
#include "run_observe.hpp"
#include "run_output_error.hpp"
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
  return options;
}

std::string rule_words(const study::SimulateStudy& study) {
  if (study.mechanism() != nullptr) return "prescribed motion";
  if (study.equations() != nullptr) {
    const identify::SimulationOptions& simulation = study.equations()->simulation;
    return fmt::format("{}, inputs {}", study::integrator_words(simulation),
                       name_of(simulation.between));
  }
  const bool uses_hold = integrate::uses_hold(study.integration.method);
  return std::string(name_of(study.integration.method)) +
         (uses_hold ? fmt::format(", {} hold", name_of(study.integration.hold)) : "");
}

std::string method_words(const study::SimulateStudy& study) {
  return rule_words(study) +
         (study.experiments == 1
              ? ""
              : ", " + counted(static_cast<long long>(study.experiments), "experiment"));
}

void print_result(const study::SimulateResult& result, const std::string& time) {
  if (result.study.linear() != nullptr) {
    print_step("model", model_words(result.definiteness));
    print_modes(result.modes);
  }
  print_step("simulate", method_words(result.study), time);
  print_step("sensors", sensor_words(result));
  for (const std::string& note : result.study.notes) {
    print_step("note", note);
  }
  for (const std::string& warning : result.warnings) {
    print_step("warning", warning);
  }
}

// Too large a request would be ended by the system after a while, without a word.
void check_memory(const study::SimulateStudy& study, int threads) {
  const double needed = study::memory_needed(study, threads);
  const double there = machine_memory();
  if (there == 0.0 || needed < there) {
    return;
  }
  throw StudyError({.file = study.file.string()},
                   fmt::format("the run needs {:.1f} GB of memory, this machine has {:.1f} GB; "
                               "lower samples, duration or experiments",
                               needed / 1e9, there / 1e9));
}

void write(const study::SimulateResult& result, io::AtomicFolder& folder) {
  study::write_simulate_result(result, folder.path());
  write_report(report::simulate_document(result), folder.path() / "report.html");
  folder.commit();
}

int run_simulation(const study::SimulateStudy& study, const RunArguments& arguments,
                   const StopFlag& stop, Session& session) {
  check_memory(study, arguments.threads);
  // Made before the work, so that a folder that cannot be written is known at once.
  std::unique_ptr<io::AtomicFolder> folder;
  if (session.machines.is_first()) {
    folder = std::make_unique<io::AtomicFolder>(out_folder(arguments), study::reason_to_keep);
  }
  if (session.speaks()) {
    print_heading(study);
  }

  const Stopwatch simulating;
  const study::SimulateResult result = [&] {
    ProgressLine progress(session, "simulate");  // gone before anything else is printed
    return study::run_simulate(
        study, session.machines,
        {.threads = arguments.threads,
         .on_progress = study.experiments > 1 ? progress.callback() : OnProgress(),
         .stop = &stop});
  }();
  if (!session.machines.is_first()) {
    return kDone;
  }
  if (session.speaks()) {
    print_result(result, simulating.text());
  }

  if (!result.ok()) {
    fmt::print(stderr, "{}: {}\n", arguments.study.string(), result.message);
  }
  if (result.experiments.empty()) {
    fmt::print(stderr, "nothing was finished, so nothing is written\n");
    return kNotSuccessful;
  }
  const Stopwatch writing;
  write(result, *folder);
  if (session.speaks()) {
    print_step("write", counted(static_cast<long long>(result.experiments.size()), "experiment"),
               writing.text());
    fmt::print("report       {}\n", (folder->target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
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
  study::LoadedStudy loaded = study::load_study(arguments.study, load_options(arguments));
  if (!loaded.problems.empty()) {
    study::Problem& first = loaded.problems.front();
    // The seed makes a table [simulate] beside the task that is there.
    if (arguments.seed && loaded.task.empty() && first.place.file == "--seed") {
      first.message = "the study has no table [simulate]; nothing else is random";
    }
    return print_problems(loaded.problems, session);
  }
  if (loaded.identify) {
    return run_identification(*loaded.identify, arguments, stop, session);
  }
  if (loaded.output_error) {
    return run_output_error_study(*loaded.output_error, arguments, stop, session);
  }
  if (loaded.acceleration) {
    return run_acceleration_study(*loaded.acceleration, arguments, stop, session);
  }
  if (loaded.monte_carlo) {
    return run_monte_carlo_study(*loaded.monte_carlo, arguments, stop, session);
  }
  if (loaded.observe) {
    return run_observe_study(*loaded.observe, arguments, session);
  }
  return run_simulation(*loaded.simulate, arguments, stop, session);
}

}  // namespace alembert::app
