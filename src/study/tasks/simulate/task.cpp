#include "study/tasks/simulate/task.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/mechanism_study.hpp"
#include "study/result/console.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/root_table.hpp"
#include "study/tasks/simulate/console.hpp"
#include "study/tasks/simulate/read_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"
#include "study/tasks/simulate/template_simulate.hpp"

namespace alembert::study {
namespace {

class SimulateTaskResult final : public ResultOf<SimulateResult> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_simulate_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return simulate_console(result, seconds); }
  [[nodiscard]] bool has_parts() const override { return !result.experiments.empty(); }
  [[nodiscard]] std::string failure() const override { return result.message; }
  [[nodiscard]] std::string written(double time) const override {
    const auto count = static_cast<long long>(result.experiments.size());
    return step_line("write", counted(count, "experiment"), seconds_text(time));
  }
};

class SimulateTask final : public StudyOf<SimulateStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return simulate_heading(study); }
  [[nodiscard]] std::string activity() const override { return "simulate"; }
  [[nodiscard]] std::vector<std::string> remarks() const override {
    if (study.mechanism() == nullptr) return {};
    return assembly_notes(study.mechanism()->assemblies);
  }
  [[nodiscard]] bool spreads() const override { return true; }

  // Too large a request would be ended by the system after a while, without a word.
  void check(const RunContext& context) const override {
    const double needed = memory_needed(study, context.options.threads);
    if (context.memory == 0.0 || needed < context.memory) return;
    throw StudyError({.file = study.file.string()},
                     fmt::format("the run needs {:.1f} GB of memory, this machine has {:.1f} GB; "
                                 "lower samples, duration or experiments",
                                 needed / 1e9, context.memory / 1e9));
  }

  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<SimulateTaskResult>(
        run_simulate(study, context.machines, context.options));
  }
};

const TableSpec& simulate_schema(const Value& root) {
  return has_equations(root) ? equation_root_table() : root_table();
}

std::unique_ptr<TaskStudy> read_simulate_task(const ReadContext& context,
                                              std::vector<Problem>& problems) {
  const auto read = has_flexible_bodies(context.document.root) ? read_flexible_simulate
                    : context.root.has("mechanism")            ? read_mechanism_simulate
                    : has_equations(context.document.root)     ? read_equation_simulate
                                                               : read_simulate;
  return held<SimulateTask>(read(context.root, context.files, problems), context.head);
}

// A mechanism may have [observe] too: without a record it is simulated.
bool simulates_without_record(const Value& root) {
  return simulates_and_observes(root) && !has_record(root);
}

}  // namespace

Task simulate_task() {
  return {.table = "simulate",
          .root_keys = {{.name = "simulate",
                         .forms = kTable,
                         .help = "task: the response, and what real sensors would give",
                         .table = &simulate_table()}},
          .roots = {&flexible_root_table()},
          .takes_others = simulates_without_record,
          .schema = simulate_schema,
          .equations = true,
          .read = read_simulate_task,
          .templates = {
              {{"simulate", "the response of M, D, K to inputs, and what real sensors would give"},
               simulate_template},
              {{"simulate-flexible", "modes and motion of a mechanism whose links bend"},
               flexible_template}}};
}

}  // namespace alembert::study
