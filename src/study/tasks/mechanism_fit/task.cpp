#include "study/tasks/mechanism_fit/task.hpp"

#include "study/tasks/mechanism_fit/console.hpp"
#include "study/tasks/mechanism_fit/read_mechanism_fit.hpp"
#include "study/tasks/mechanism_fit/template_mechanism_fit.hpp"
#include "study/tasks/model_roots.hpp"

namespace alembert::study {
namespace {

class MechanismFitResult final : public ResultOf<MechanismFitOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_mechanism_fit_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return mechanism_fit_console(result); }
};

class MechanismFitTask final : public StudyOf<MechanismFitStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return mechanism_fit_heading(study); }
  [[nodiscard]] std::string activity() const override { return "search"; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<MechanismFitResult>(run_mechanism_fit(study, context.options));
  }
};

bool is_mechanism_fit(const Value& root) { return root.find("mechanism") != nullptr; }

const TableSpec& mechanism_fit_schema(const Value&) { return mechanism_root_table(); }

std::unique_ptr<TaskStudy> read_mechanism_fit_task(const ReadContext& context,
                                                   std::vector<Problem>& problems) {
  return held<MechanismFitTask>(read_mechanism_fit(context.root, context.files, problems),
                                context.head);
}

}  // namespace

Task mechanism_fit_task() {
  return {.table = "identify",
          .roots = {&mechanism_root_table()},
          .matches = is_mechanism_fit,
          .schema = mechanism_fit_schema,
          .read = read_mechanism_fit_task,
          .templates = {{{"mechanism", "masses, friction and motor constants of a mechanism"},
                         mechanism_fit_template,
                         mechanism_fit_record}}};
}

}  // namespace alembert::study
