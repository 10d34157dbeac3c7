#include "study/reproduce_module.hpp"

#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/page.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "bind/control.hpp"
#include "bind/modules.hpp"
#include "reproductions/claims_document.hpp"
#include "reproductions/registry.hpp"

namespace alembert::python {
namespace {

using reproductions::Reproduction;

py::dict names_of_reproductions() {
  py::dict names;
  for (const reproductions::ReproductionEntry& entry : reproductions::reproductions()) {
    names[text_to(entry.name)] = text_to(entry.help);
  }
  return names;
}

void write_files(const Reproduction& found, const std::filesystem::path& folder) {
  io::AtomicFolder made(folder, study::reason_to_keep);
  reproductions::write_reproduction(found, made.path());
  report::write_report(made.path() / "report.html", reproductions::claims_document(found));
  made.commit();
}

py::object run_reproduction(const std::string& name, bool full, int threads, const py::object& data,
                            const py::object& progress) {
  static constexpr Function kReproduce{.name = "reproduce", .doc = "", .overloads = {}};
  const Arguments arguments{.function = &kReproduce, .progress = progress};
  Control control(arguments);
  reproductions::ReproduceOptions options{.full = full, .parallel = {.threads = threads}};
  if (!data.is_none()) options.data = path_from(data);
  control.attach(options.parallel.stop);
  control.attach(options.parallel.on_progress);
  return control.run(
      [&] { return std::make_shared<Reproduction>(reproductions::reproduce(name, options)); });
}

}  // namespace

void add_reproduce(py::module_& root) {
  py::module_ module = module_named(root, "study");
  class_info<Reproduction>().name = "study._Reproduction";
  py::class_<Reproduction, std::shared_ptr<Reproduction>>(module, "_Reproduction")
      .def_property_readonly("status",
                             [](const Reproduction& r) { return Convert<Status>::to(r.status); })
      .def_property_readonly("message", [](const Reproduction& r) { return text_to(r.message); })
      .def_property_readonly("name", [](const Reproduction& r) { return text_to(r.name); })
      .def_property_readonly("title", [](const Reproduction& r) { return text_to(r.title); })
      .def_property_readonly("text", [](const Reproduction& r) { return text_to(r.summary); })
      .def_property_readonly(
          "claims",
          [](const Reproduction& r) { return Convert<std::vector<document::Claim>>::to(r.claims); })
      .def_property_readonly(
          "tables",
          [](const Reproduction& r) { return Convert<std::vector<document::Table>>::to(r.tables); })
      .def_property_readonly(
          "document",
          [](const Reproduction& r) {
            return Convert<document::Document>::to(reproductions::claims_document(r));
          })
      .def("write", [](const Reproduction& r, const py::object& folder) {
        const std::filesystem::path target = path_from(folder);
        return released([&] { write_files(r, target); });
      });
  module.def("_reproduce", &run_reproduction);
  module.def("_reproductions", &names_of_reproductions);
}

}  // namespace alembert::python
