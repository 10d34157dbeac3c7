#include "study/tasks/monte_carlo/task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "study/tasks/monte_carlo/console.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/monte_carlo/template_monte_carlo.hpp"
#include "study/tasks/root_table.hpp"

namespace alembert::study {
namespace {

// Finished runs rest beside the result until it is there: frame.out.runs.
std::filesystem::path journal_beside(const std::filesystem::path& out) {
  std::filesystem::path path = out.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path += ".runs";
}

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
    const std::filesystem::path journal = journal_beside(context.out);
    if (result.status == Status::Stopped && !std::filesystem::exists(journal)) {
      return "finished runs were not kept: there is no folder for the key that seals them "
             "($XDG_STATE_HOME or ~/.local/state)\n";
    }
    if (result.status == Status::Stopped) {
      return fmt::format("the same command goes on from here; finished runs are in {}\n",
                         journal.string());
    }
    remove_journal(journal);
    return "";
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
    needed *= std::min(static_cast<double>(thread_count(context.options.threads)),
                       static_cast<double>(study.runs * study.points.size()));
    if (context.memory == 0.0 || needed < context.memory) return;
    throw StudyError({.file = study.file.string()},
                     fmt::format("the runs need {:.1f} GB of memory, this machine has {:.1f} GB; "
                                 "lower samples, duration or experiments, or use fewer threads",
                                 needed / 1e9, context.memory / 1e9));
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
                         .help = "task: errors and intervals of [identify] on many runs of "
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
