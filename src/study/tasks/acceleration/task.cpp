#include "study/tasks/acceleration/task.hpp"

#include "study/tasks/acceleration/console.hpp"
#include "study/tasks/acceleration/read_acceleration.hpp"
#include "study/tasks/acceleration/tables_acceleration.hpp"
#include "study/tasks/acceleration/template_acceleration.hpp"

namespace alembert::study {
namespace {

class AccelerationTaskResult final : public ResultOf<AccelerationOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_acceleration_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return acceleration_console(result); }
  [[nodiscard]] bool has_parts() const override { return !result.records.empty(); }
};

class AccelerationTask final : public StudyOf<AccelerationStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return acceleration_heading(study); }
  [[nodiscard]] std::string activity() const override { return "fit"; }
  /// Records that are finished are kept, a single one is not.
  [[nodiscard]] bool keeps_parts() const override { return study.records.size() > 1; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<AccelerationTaskResult>(run_acceleration(study, context.options));
  }
};

bool is_acceleration(const Value& root) {
  const Entry* method = root.find("identify")->value.find("method");
  return method != nullptr && method->value.text() != nullptr &&
         *method->value.text() == "acceleration";
}

const TableSpec& acceleration_schema(const Value&) { return acceleration_root_table(); }

std::unique_ptr<TaskStudy> read_acceleration_task(const ReadContext& context,
                                                  std::vector<Problem>& problems) {
  return held<AccelerationTask>(read_acceleration(context.root, context.files, problems),
                                context.head);
}

}  // namespace

Task acceleration_task() {
  return {.table = "identify",
          .roots = {&acceleration_root_table()},
          .matches = is_acceleration,
          .schema = acceleration_schema,
          .equations = true,
          .seed_key = "identify.seed",
          .read = read_acceleration_task,
          .templates = {{{"acceleration",
                          "stiffness, damping and nonlinearity from a short acceleration record"},
                         acceleration_template,
                         acceleration_record}}};
}

}  // namespace alembert::study
