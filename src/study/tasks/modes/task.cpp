#include "study/tasks/modes/task.hpp"

#include "study/tasks/modes/console.hpp"
#include "study/tasks/modes/modes_keys.hpp"
#include "study/tasks/modes/read_modes.hpp"
#include "study/templates/record_study.hpp"

namespace alembert::study {
namespace {

class ModesTaskResult final : public ResultOf<ModesOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_modes_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return modes_console(result); }
};

class ModesTask final : public StudyOf<ModesStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return modes_heading(study); }
  [[nodiscard]] std::string activity() const override { return "modes"; }
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<ModesTaskResult>(run_modes(study, context.options));
  }
};

bool is_modes(const Value& root) {
  const Entry* method = root.find("identify")->value.find("method");
  return method != nullptr && method->value.text() != nullptr && *method->value.text() == "modes";
}

const TableSpec& modes_schema(const Value&) { return modes_root_table(); }

std::unique_ptr<TaskStudy> read_modes_task(const ReadContext& context,
                                           std::vector<Problem>& problems) {
  return held<ModesTask>(read_modes(context.root, context.files, problems), context.head);
}

std::string modes_template(const std::optional<TemplateData>& data) {
  return record_study(
      {.title = "Modes from forces and responses", .method = "modes", .root = &modes_root_table()},
      data);
}

}  // namespace

Task modes_task() {
  return {.table = "identify",
          .roots = {&modes_root_table()},
          .matches = is_modes,
          .schema = modes_schema,
          .seed_key = "identify.seed",
          .read = read_modes_task,
          .templates = {{{"modes", "frequencies, damping and shapes from forces and responses"},
                         modes_template,
                         three_mass_record}}};
}

}  // namespace alembert::study
