#include "study/tasks/output_error/task.hpp"

#include "study/tasks/model_roots.hpp"
#include "study/tasks/output_error/console.hpp"
#include "study/tasks/output_error/read_output_error.hpp"
#include "study/tasks/output_error/template_output_error.hpp"

namespace alembert::study {
namespace {

class OutputErrorTaskResult final : public ResultOf<OutputErrorOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_output_error_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return output_error_console(result); }
};

class OutputErrorTask final : public StudyOf<OutputErrorStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return output_error_heading(study); }
  [[nodiscard]] std::string activity() const override { return "search"; }
  /// The searches from several starts.
  [[nodiscard]] bool spreads() const override { return study.options.output_error.starts > 1; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<OutputErrorTaskResult>(
        run_output_error(study, context.options, spreads() ? &context.machines : nullptr));
  }
};

bool is_output_error(const Value& root) {
  const Entry* method = root.find("identify")->value.find("method");
  const bool named = method != nullptr && method->value.text() != nullptr &&
                     *method->value.text() == "output-error";
  return named || has_equations(root);
}

const TableSpec& output_error_schema(const Value&) { return equation_root_table(); }

std::unique_ptr<TaskStudy> read_output_error_task(const ReadContext& context,
                                                  std::vector<Problem>& problems) {
  return held<OutputErrorTask>(read_output_error(context.root, context.files, problems),
                               context.head);
}

}  // namespace

Task output_error_task() {
  return {.table = "identify",
          .roots = {&equation_root_table()},
          .matches = is_output_error,
          .schema = output_error_schema,
          .equations = true,
          .seed_key = "identify.seed",
          .read = read_output_error_task,
          .templates = {
              {{"output-error", "parameters of your own differential equations from a record"},
               output_error_template,
               output_error_record},
              {{"free-starts", "the same from records that begin anyhow, some samples wrong"},
               free_starts_template,
               output_error_record}}};
}

}  // namespace alembert::study
