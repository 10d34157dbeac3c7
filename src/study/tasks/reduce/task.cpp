#include "study/tasks/reduce/task.hpp"

#include "study/tasks/reduce/console.hpp"
#include "study/tasks/reduce/read_reduce.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"
#include "study/tasks/reduce/template_reduce.hpp"

namespace alembert::study {
namespace {

class ReduceTaskResult final : public ResultOf<ReduceOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_reduce_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return reduce_console(result); }
};

class ReduceTask final : public StudyOf<ReduceStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return reduce_heading(study); }
  [[nodiscard]] std::string activity() const override { return "reduce"; }
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<ReduceTaskResult>(run_reduce(study, context.options));
  }
};

const TableSpec& reduce_schema(const Value&) { return reduce_root_table(); }

std::unique_ptr<TaskStudy> read_reduce_task(const ReadContext& context,
                                            std::vector<Problem>& problems) {
  return held<ReduceTask>(read_reduce(context.root, context.files, problems), context.head);
}

}  // namespace

Task reduce_task() {
  return {.table = "reduce",
          .root_keys = {{.name = "structure",
                         .forms = kTable,
                         .help = "a large structure, in place of [model]",
                         .required_by = "reduce",
                         .tasks = {"reduce"},
                         .table = reduce_root_table().find("structure", nullptr)->table},
                        {.name = "reduce",
                         .forms = kTable,
                         .help = "task: a small model of a structure",
                         .table = reduce_root_table().find("reduce", nullptr)->table}},
          .schema = reduce_schema,
          .read = read_reduce_task,
          .templates = {{{"reduce", "small model of a large structure, right where it matters"},
                         reduce_template}}};
}

}  // namespace alembert::study
