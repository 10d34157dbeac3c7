#include "study/tasks/observe/task.hpp"

#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/parts/mechanism/mechanism_study.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/observe/console.hpp"
#include "study/tasks/observe/read_observe.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "study/tasks/observe/template_observe.hpp"

namespace alembert::study {
namespace {

class ObserveTaskResult final : public ResultOf<ObserveResult> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_observe_result(result, folder);
  }
  /// A part of the motion is of no use, so that a stopped run has nothing to say or to write.
  [[nodiscard]] bool has_parts() const override { return result.status != Status::Stopped; }
  [[nodiscard]] std::string console() const override {
    return has_parts() ? observe_console(result) : "";
  }
};

class ObserveTask final : public StudyOf<ObserveStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return observe_heading(study); }
  [[nodiscard]] std::string activity() const override { return "observe"; }
  [[nodiscard]] std::vector<std::string> remarks() const override {
    return assembly_notes(study.assemblies);
  }
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<ObserveTaskResult>(run_observe(study, context.options));
  }
};

const TableSpec& observe_schema(const Value&) { return mechanism_root_table(); }

std::unique_ptr<TaskStudy> read_observe_task(const ReadContext& context,
                                             std::vector<Problem>& problems) {
  return held<ObserveTask>(read_observe(context.root, context.files, context.stream, problems),
                           context.head);
}

// A mechanism may have [simulate] too: with a record it is observed.
bool observes_with_record(const Value& root) {
  return simulates_and_observes(root) && has_record(root);
}

}  // namespace

Task observe_task() {
  return {.table = "observe",
          .root_keys = {{.name = "mechanism",
                         .forms = kTable,
                         .help = "bodies and joints, in place of [model]",
                         .required_by = "observe",
                         .tasks = {"observe", "simulate"},
                         .table = &mechanism_table()},
                        {.name = "observe",
                         .forms = kTable,
                         .help = "task: positions, velocities and accelerations of a mechanism",
                         .table = &observe_table()}},
          .roots = {&mechanism_root_table()},
          .takes_others = observes_with_record,
          .schema = observe_schema,
          .streams = true,
          .read = read_observe_task,
          .templates = {
              {{"observe", "motion of a mechanism from encoders and accelerometers"},
               observe_template,
               observe_record},
              // The same crank; its study has both tables.
              {{"simulate-mechanism", "what sensors on a mechanism would record of a known motion"},
               simulate_mechanism_template}}};
}

}  // namespace alembert::study
