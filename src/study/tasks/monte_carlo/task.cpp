#include "study/tasks/monte_carlo/task.hpp"

#include <algorithm>

#include "study/tasks/monte_carlo/console.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"
#include "study/tasks/monte_carlo/runs/journal_place.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/monte_carlo/template_monte_carlo.hpp"
#include "study/tasks/root_table.hpp"

namespace alembert::study {
namespace {

class MonteCarloTaskResult final : public ResultOf<MonteCarloResult> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_monte_carlo_result(result, folder);
  }
  [[nodiscard]] std::string console() const override {
    return monte_carlo_console(result, seconds);
  }
  [[nodiscard]] bool has_parts() const override { return !result.runs.empty(); }
  [[nodiscard]] std::string settle(const RunContext& context) const override {
    return settle_journal(result, context);
  }
};

class MonteCarloTask final : public StudyOf<MonteCarloStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return monte_carlo_heading(study); }
  [[nodiscard]] std::string activity() const override { return "runs"; }
  [[nodiscard]] bool spreads() const override { return true; }

  // Each thread holds the records of one run.
  void check(const RunContext& context) const override {
    double needed = 0.0;
    for (const MonteCarloPoint& point : study.points) {
      needed = std::max(needed, memory_needed(point.simulate, 1));
    }
    check_memory_of_runs(needed, study.runs * study.points.size(), study.file, context);
  }

  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<MonteCarloTaskResult>(
        run_monte_carlo(study, context.machines,
                        {.threads = context.options.threads,
                         .on_progress = context.options.on_progress,
                         .stop = context.options.stop,
                         .journal = journal_beside(context.out)}));
  }
};

// Its parts are tasks themselves.
bool has_parts_beside(const Value&) { return true; }

const TableSpec& monte_carlo_schema(const Value&) { return root_table(); }

std::unique_ptr<TaskStudy> read_monte_carlo_task(const ReadContext& context,
                                                 std::vector<Problem>& problems) {
  return held<MonteCarloTask>(read_monte_carlo(context.document, context.files, problems),
                              context.head);
}

}  // namespace

Task monte_carlo_task() {
  return {.table = "monte-carlo",
          .root_keys = {{.name = "monte-carlo",
                         .forms = kTable,
                         .help = "task: errors and intervals of another task on many runs of "
                                 "[simulate]",
                         .table = &monte_carlo_table()}},
          .takes_others = has_parts_beside,
          .schema = monte_carlo_schema,
          .seed_key = "monte-carlo.seed",
          .read = read_monte_carlo_task,
          .templates = {
              {{"monte-carlo", "errors of M, D, K and honesty of their intervals, on many runs"},
               monte_carlo_template}}};
}

}  // namespace alembert::study
