#include "study/study_module.hpp"

#include "alembert/report/page.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/acceleration.hpp"
#include "alembert/study/detail/key_reference.hpp"
#include "alembert/study/detail/keys.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "alembert/study/modes.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/records/state_space.hpp"
#include "alembert/study/reduce.hpp"
#include "alembert/study/repeat.hpp"
#include "alembert/study/responses/frf.hpp"
#include "alembert/study/simulate.hpp"
#include "bind/control.hpp"
#include "bind/modules.hpp"
#include "study/loaded_study.hpp"
#include "study/reproduce_module.hpp"

namespace alembert::python {
namespace {

using study::LoadedStudy;
using study::TaskResult;

StudySource source_from(const std::string& text, const py::object& file, const py::object& changes,
                        const py::dict& records, const py::object& seed) {
  StudySource source{.text = text, .file = path_from(file)};
  source.changes = Convert<std::vector<std::pair<std::string, std::string>>>::from(changes);
  source.records = Convert<std::map<std::string, signal::Records>>::from(records);
  source.seed = Convert<std::optional<long long>>::from(seed);
  return source;
}

// The struct of the task behind a result, as a part of it.
template <typename... Results>
py::object found_in(const py::object& self, const TaskResult& result) {
  py::object found = py::none();
  const auto look = [&]<typename Result>(const Result* held) {
    if (held != nullptr) found = Convert<Result>::view(const_cast<Result&>(*held), self);
  };
  (look(result.as<Results>()), ...);
  return found;
}

py::object found(const py::object& self) {
  return found_in<study::AccelerationOutcome, study::FrfOutcome, study::IdentifyResult,
                  study::MechanismFitOutcome, study::ModesOutcome, study::StateSpaceOutcome,
                  study::MonteCarloResult, study::ObserveResult, study::OutputErrorOutcome,
                  study::ReduceOutcome, study::RepeatResult, study::SimulateResult>(
      self, py::cast<const TaskResult&>(self));
}

py::object run_loaded(const LoadedStudy& loaded, int threads, const py::object& out,
                      const py::object& progress) {
  static constexpr Function kRun{.name = "run", .doc = "", .overloads = {}};
  const Arguments arguments{.function = &kRun, .progress = progress};
  Control control(arguments);
  study::RunOptions options{.threads = threads};
  control.attach(options.stop);
  control.attach(options.on_progress);
  const std::filesystem::path folder = out.is_none() ? std::filesystem::path{} : path_from(out);
  return control.run([&] { return run(loaded, options, folder); });
}

py::object export_loaded(const LoadedStudy& loaded, const py::object& target,
                         const std::string& format, const std::string& name,
                         const std::string& precision, const py::object& step, bool force) {
  static constexpr Function kExport{.name = "export", .doc = "", .overloads = {}};
  const Arguments arguments{.function = &kExport, .progress = py::none()};
  Control control(arguments);
  study::RunOptions options;
  control.attach(options.stop);
  const ExportRequest request{.target = path_from(target),
                              .format = format,
                              .name = name,
                              .precision = precision,
                              .step = Convert<std::optional<double>>::from(step),
                              .force = force};
  return control.run([&] { return export_to(loaded, request, options); });
}

std::vector<std::string> known_keys() {
  std::vector<std::string> names;
  const auto take = [&](const std::vector<study::KeySpec>& keys) {
    for (const study::KeySpec& key : keys) names.push_back(key.name);
  };
  for (const study::TableSpec* table : study::all_tables()) {
    take(table->keys);
    for (const study::Variant& variant : table->variants) take(variant.keys);
  }
  return names;
}

void add_loaded(py::module_& module) {
  class_info<LoadedStudy>().name = "study._Loaded";
  py::class_<LoadedStudy, std::shared_ptr<LoadedStudy>>(module, "_Loaded")
      .def_property_readonly("task", [](const LoadedStudy& loaded) { return loaded.task; })
      .def("remarks",
           [](const LoadedStudy& loaded) {
             return Convert<std::vector<std::string>>::to(loaded.study->remarks());
           })
      .def("heading", [](const LoadedStudy& loaded) { return text_to(loaded.study->heading()); })
      .def("run", &run_loaded)
      .def("export", &export_loaded);
}

void add_result(py::module_& module) {
  class_info<TaskResult>().name = "study._Result";
  py::class_<TaskResult, std::shared_ptr<TaskResult>>(module, "_Result")
      .def_property_readonly("found", &found)
      .def_property_readonly(
          "status", [](const TaskResult& r) { return Convert<Status>::to(r.outcome().status); })
      .def_property_readonly("message",
                             [](const TaskResult& r) { return text_to(r.outcome().message); })
      .def_property_readonly("verdict",
                             [](const TaskResult& r) { return Convert<Verdict>::to(r.verdict()); })
      .def_property_readonly("seconds", [](const TaskResult& r) { return r.seconds; })
      .def("to_dict", [](const TaskResult& r) { return tree_to(r.description()); })
      .def("summary",
           [](const TaskResult& r) {
             return text_to(r.console() + study::verdict_lines(r.verdict()));
           })
      .def("document",
           [](const TaskResult& r) {
             return Convert<document::Document>::to(report::task_document(r));
           })
      .def("report",
           [](const TaskResult& r) {
             return released([&] { return report::render_html(report::task_document(r)); });
           })
      .def("write", [](const TaskResult& r, const py::object& folder) {
        const std::filesystem::path target = path_from(folder);
        return released([&] { write(r, target); });
      });
}

}  // namespace

void add_study(py::module_& root) {
  py::module_ module = module_named(root, "study");
  add_loaded(module);
  add_result(module);
  module.def("_load", [](const std::string& text, const py::object& file, const py::object& changes,
                         const py::dict& records, const py::object& seed) {
    const StudySource source = source_from(text, file, changes, records, seed);
    return released([&] { return load(source); });
  });
  module.def("_problems",
             [](const std::string& text, const py::object& file, const py::object& changes,
                const py::dict& records, const py::object& seed) {
               const StudySource source = source_from(text, file, changes, records, seed);
               return released([&] { return problems_of(source); });
             });
  add_reproduce(root);
  module.def("_known_keys", [] { return Convert<std::vector<std::string>>::to(known_keys()); });
  module.def("_keys", [](const std::string& path) { return study::keys_as_text(path); });
}

}  // namespace alembert::python
