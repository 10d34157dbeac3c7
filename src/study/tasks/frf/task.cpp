#include "study/tasks/frf/task.hpp"

#include <fmt/format.h>

#include "study/result/console.hpp"
#include "study/tasks/frf/frf_keys.hpp"
#include "study/tasks/frf/read_frf.hpp"
#include "study/templates/record_study.hpp"

namespace alembert::study {
namespace {

std::string frf_heading(const FrfStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  Eigen::Index samples = 0;
  for (const signal::InputOutput& one : study.experiments) samples += one.outputs.rows();
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz in {}\n", "study",
                counted(static_cast<long long>(study.inputs.size()), "input"),
                counted(static_cast<long long>(study.outputs.size()), "response"), samples,
                1.0 / study.step,
                counted(static_cast<long long>(study.experiments.size()), "record"));
  return console.text();
}

std::string frf_console(const FrfOutcome& result) {
  Console console;
  const document::ResultTree tree = describe(result);
  const document::ResultTree& lines = tree.at("lines");
  console.step(
      "lines",
      fmt::format("{} from {:.4g} to {:.4g} Hz, {} averages, resolution {:.3g} Hz",
                  result.found.frequencies_hz.size(), lines.number("first"), lines.number("last"),
                  result.found.averaging.segments, lines.number("resolution_hz")));
  console.print("  {:<10} {:>14} {:>14} {:>16}\n", "responses", "output", "input", "deviation");
  for (const document::ResultTree& row : tree.at("responses").entries()) {
    console.print("  {:<10} {:>14} {:>14} {:>14.2g} %\n", "", row.at("output").text(),
                  row.at("input").text(), 100.0 * row.number("relative_deviation"));
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

class FrfTaskResult final : public ResultOf<FrfOutcome> {
 public:
  using ResultOf::ResultOf;
  void write(const std::filesystem::path& folder) const override {
    write_frf_result(result, folder);
  }
  [[nodiscard]] std::string console() const override { return frf_console(result); }
};

class FrfTask final : public StudyOf<FrfStudy> {
 public:
  using StudyOf::StudyOf;
  [[nodiscard]] std::string heading() const override { return frf_heading(study); }
  [[nodiscard]] std::string activity() const override { return "responses"; }
  [[nodiscard]] bool keeps_parts() const override { return false; }
  [[nodiscard]] std::unique_ptr<TaskResult> run(const RunContext& context) const override {
    return std::make_unique<FrfTaskResult>(run_frf(study, context.options));
  }
};

bool is_frf(const Value& root) {
  const Entry* method = root.find("identify")->value.find("method");
  return method != nullptr && method->value.text() != nullptr && *method->value.text() == "frf";
}

const TableSpec& frf_schema(const Value&) { return frf_root_table(); }

std::unique_ptr<TaskStudy> read_frf_task(const ReadContext& context,
                                         std::vector<Problem>& problems) {
  return held<FrfTask>(read_frf(context.root, context.files, problems), context.head);
}

std::string frf_template(const std::optional<TemplateData>& data) {
  return record_study({.title = "Frequency responses",
                       .method = "frf",
                       .root = &frf_root_table(),
                       .needs_forces = true},
                      data);
}

}  // namespace

Task frf_task() {
  return {.table = "identify",
          .roots = {&frf_root_table()},
          .matches = is_frf,
          .schema = frf_schema,
          .seed_key = "identify.seed",
          .read = read_frf_task,
          .templates = {{{"frf", "frequency responses of forces and responses"},
                         frf_template,
                         three_mass_record}}};
}

}  // namespace alembert::study
