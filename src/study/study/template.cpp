#include "alembert/study/detail/template.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/tasks/registry.hpp"

namespace alembert::study {
namespace {

// The templates of all tasks, in their order.
std::vector<TaskTemplate> task_templates() {
  std::vector<TaskTemplate> all;
  for (const Task& task : tasks()) {
    all.insert(all.end(), task.templates.begin(), task.templates.end());
  }
  return all;
}

// @throws InvalidInput for an unknown kind, with the nearest known one.
TaskTemplate find_template(const std::string& kind) {
  for (const TaskTemplate& one : task_templates()) {
    if (one.kind.name == kind) return one;
  }
  const std::vector<std::string> names =
      mapped(template_kinds(), [](const TemplateKind& known) { return known.name; });
  throw InvalidInput(
      {.function = "new", .rule = fmt::format("no kind \"{}\"{}", kind, suggestion(kind, names))});
}

}  // namespace

std::vector<TemplateKind> template_kinds() {
  return mapped(task_templates(), [](const TaskTemplate& one) { return one.kind; });
}

std::optional<signal::Record> template_record(const std::string& kind) {
  const TaskTemplate found = find_template(kind);
  return found.record == nullptr ? std::nullopt : std::optional(found.record());
}

std::string study_template(const std::string& kind, const std::optional<TemplateData>& data) {
  return find_template(kind).text(data);
}

}  // namespace alembert::study
