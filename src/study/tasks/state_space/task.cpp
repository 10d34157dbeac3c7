#include "study/tasks/state_space/task.hpp"

#include "study/tasks/state_space/console.hpp"
#include "study/tasks/state_space/read_state_space.hpp"
#include "study/tasks/state_space/state_space_keys.hpp"
#include "study/templates/record_study.hpp"

namespace alembert::study {
namespace {

class StateSpaceTaskResult final : public ResultOf<StateSpaceOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_state_space_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return state_space_console(result); }
};

class StateSpaceTask final : public StudyOf<StateSpaceStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return state_space_heading(study); }
  [[nodiscard]] std::string activity() const override { return "state-space"; }
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<StateSpaceTaskResult>(run_state_space(study, context.options));
  }
};

bool is_state_space(const Value& root) {
  const Entry* method = root.find("identify")->value.find("method");
  return method != nullptr && method->value.text() != nullptr &&
         *method->value.text() == "state-space";
}

const TableSpec& state_space_schema(const Value&) { return state_space_root_table(); }

std::unique_ptr<TaskStudy> read_state_space_task(const ReadContext& context,
                                                 std::vector<Problem>& problems) {
  return held<StateSpaceTask>(read_state_space(context.root, context.files, problems),
                              context.head);
}

std::string state_space_template(const std::optional<TemplateData>& data) {
  return record_study({.title = "State-space model",
                       .method = "state-space",
                       .root = &state_space_root_table(),
                       .needs_forces = true,
                       .held_back = 0.25},
                      data);
}

}  // namespace

Task state_space_task() {
  return {.table = "identify",
          .roots = {&state_space_root_table()},
          .matches = is_state_space,
          .schema = state_space_schema,
          .seed_key = "identify.seed",
          .read = read_state_space_task,
          .templates = {{{"state-space", "a linear model of inputs and outputs, of any order"},
                         state_space_template,
                         three_mass_record}}};
}

}  // namespace alembert::study
