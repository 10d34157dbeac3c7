#include "study/loaded_study.hpp"

#include <chrono>

#include "alembert/core/distributed.hpp"
#include "alembert/core/enum_names.hpp"
#include "alembert/core/error.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/page.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/export_study.hpp"
#include "alembert/study/result/result_folder.hpp"

namespace alembert::python {
namespace {

study::LoadedStudy read(const StudySource& source) {
  study::LoadOptions options{.seed = source.seed, .records = source.records};
  for (const auto& [key, value] : source.changes) {
    options.overrides.push_back({.key = key, .value = value, .origin = key});
  }
  return study::load_study_text(source.text, source.file, options);
}

}  // namespace

std::shared_ptr<study::LoadedStudy> load(const StudySource& source) {
  auto loaded = std::make_shared<study::LoadedStudy>(read(source));
  if (!loaded->problems.empty()) study::raise(loaded->problems.front());
  return loaded;
}

std::vector<std::string> problems_of(const StudySource& source) {
  std::vector<std::string> texts;
  for (const study::Problem& problem : read(source).problems) texts.push_back(to_string(problem));
  return texts;
}

std::shared_ptr<study::TaskResult> run(const study::LoadedStudy& loaded,
                                       const study::RunOptions& options,
                                       const std::filesystem::path& out) {
  const Machines alone;
  const study::RunContext context{.machines = alone, .options = options, .out = out};
  const auto begin = std::chrono::steady_clock::now();
  try {
    loaded.study->check(context);
    std::shared_ptr<study::TaskResult> result = loaded.study->run(context);
    result->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool has_file = !loaded.files.empty();
    result->trace =
        study::trace_of(loaded, has_file ? loaded.files.front().parent_path() : out.parent_path());
    return result;
  } catch (const DataError& error) {
    throw DataError(study::known_place(error.place(), loaded), error.reason());
  } catch (const StudyError& error) {
    throw StudyError(study::known_place(error.place(), loaded), error.reason());
  } catch (const InvalidInput& error) {
    throw StudyError(loaded.place, error.reason());
  }
}

std::vector<std::string> export_to(const study::LoadedStudy& loaded, const ExportRequest& request,
                                   const study::RunOptions& options) {
  const auto format = enum_named<study::ExportFormat>(request.format);
  const auto precision = enum_named<model::CNumber>(request.precision);
  if (!format || !precision) {
    throw InvalidInput({.function = "export",
                        .rule = "takes to = c, fmu, mat or npz, and precision = double or float"});
  }
  const Machines alone;
  study::StudyExport found = study::export_study(
      loaded, {.name = request.name, .precision = *precision, .step = request.step},
      {.machines = alone, .options = options});
  study::write_export(found, *format, request.target, request.force);
  return found.notes;
}

void write(const study::TaskResult& result, const std::filesystem::path& folder) {
  io::AtomicFolder made(folder, study::reason_to_keep);
  result.write(made.path());
  report::write_report(made.path() / "report.html", report::task_document(result));
  made.commit();
}

}  // namespace alembert::python
