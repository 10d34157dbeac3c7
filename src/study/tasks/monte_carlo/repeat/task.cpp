#include "study/tasks/monte_carlo/repeat/task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "study/tasks/monte_carlo/repeat/console.hpp"
#include "study/tasks/monte_carlo/repeat/read_repeat.hpp"
#include "study/tasks/monte_carlo/repeat/split_study.hpp"
#include "study/tasks/monte_carlo/repeat/template_repeat.hpp"
#include "study/tasks/monte_carlo/runs/journal_place.hpp"

namespace alembert::study {
namespace {

class RepeatTaskResult final : public ResultOf<RepeatResult> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_repeat_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return repeat_console(result, seconds); }
  [[nodiscard]] bool has_parts() const override { return !result.runs.empty(); }
  [[nodiscard]] std::string settle(const RunContext& context) const override {
    return settle_journal(result, context);
  }
};

class RepeatTask final : public StudyOf<RepeatStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return repeat_heading(study); }
  [[nodiscard]] std::string activity() const override { return "runs"; }
  [[nodiscard]] bool spreads() const override { return true; }

  // Each thread holds the records of one run.
  void check(const RunContext& context) const override {
    double needed = 0.0;
    for (const RepeatPoint& point : study.points) {
      needed = std::max(needed, memory_needed(point.simulate, 1));
    }
    check_memory_of_runs(needed, study.runs * study.points.size(), study.file, context);
  }

  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<RepeatTaskResult>(
        run_repeat(study, context.machines,
                   {.threads = context.options.threads,
                    .on_progress = context.options.on_progress,
                    .stop = context.options.stop,
                    .journal = journal_beside(context.out)}));
  }
};

// Its parts are tasks themselves.
bool repeats_others(const Value&) { return true; }

const TableSpec& repeat_schema(const Value&) { return repeat_root_table(); }

std::unique_ptr<TaskStudy> read_repeat_task(const ReadContext& context,
                                            std::vector<Problem>& problems) {
  return held<RepeatTask>(read_repeat(context.document, context.files, problems), context.head);
}

}  // namespace

Task repeat_task() {
  return {.table = "monte-carlo",
          .matches = repeats_any_task,
          .takes_others = repeats_others,
          .schema = repeat_schema,
          .equations = true,
          .repeats = true,
          .seed_key = "monte-carlo.seed",
          .read = read_repeat_task,
          .templates = {{{"monte-carlo-equations",
                          "bias, scatter and honesty of parameters of equations, on many runs"},
                         repeat_equations_template},
                        {{"monte-carlo-observe",
                          "errors and NEES of an observer of a mechanism, on many runs"},
                         repeat_observe_template}}};
}

}  // namespace alembert::study
