#include "study/tasks/identify/task.hpp"

#include "study/tasks/identify/console.hpp"
#include "study/tasks/identify/read_identify.hpp"
#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/identify/template_identify.hpp"
#include "study/tasks/root_table.hpp"

namespace alembert::study {
namespace {

class IdentifyTaskResult final : public ResultOf<IdentifyResult> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_identify_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return identify_console(result); }
};

class IdentifyTask final : public StudyOf<IdentifyStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return identify_heading(study); }
  [[nodiscard]] std::string activity() const override { return "identify"; }
  /// The refinement answers a stop with its last iterate; a start from a long record does not.
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<IdentifyTaskResult>(run_identify(study, context.options));
  }
};

const TableSpec& identify_schema(const Value&) { return root_table(); }

std::unique_ptr<TaskStudy> read_identify_task(const ReadContext& context,
                                              std::vector<Problem>& problems) {
  return held<IdentifyTask>(read_identify(context.root, context.files, problems), context.head);
}

}  // namespace

Task identify_task() {
  return {
      .table = "identify",
      .root_keys = {{.name = "sensors",
                     .forms = kTable,
                     .help = "what the measured outputs are",
                     .tasks = {"identify"},
                     .table = &output_sensors_table()},
                    {.name = "identify",
                     .forms = kTable,
                     .help = "task: M, D and K, or parameters of equations, from records, with "
                             "intervals",
                     .table = &identify_table()}},
      .schema = identify_schema,
      .equations = true,
      .read = read_identify_task,
      .templates = {{{"identify", "M, D, K from records of forces and responses, with intervals"},
                     identify_template}}};
}

}  // namespace alembert::study
