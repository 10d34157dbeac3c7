#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/study/study.hpp"

/// A study as Python holds it.
namespace alembert::python {

/// How a study is read.
struct StudySource {
  std::string text;
  std::filesystem::path file;  ///< where other files are sought; its name is in messages
  std::vector<std::pair<std::string, std::string>> changes = {};  ///< key, TOML value
  std::map<std::string, signal::Records> records = {};
  std::optional<long long> seed = {};
};

/// Reads and checks. @throws StudyError or DataError with the first problem.
[[nodiscard]] std::shared_ptr<study::LoadedStudy> load(const StudySource& source);

/// All problems, as `alembert check` prints them.
[[nodiscard]] std::vector<std::string> problems_of(const StudySource& source);

/// Runs a study; errors get a place in it, as the tool gives them one.
[[nodiscard]] std::shared_ptr<study::TaskResult> run(const study::LoadedStudy& loaded,
                                                     const study::RunOptions& options,
                                                     const std::filesystem::path& out);

/// What an export of a study asks for.
struct ExportRequest {
  std::filesystem::path target;
  std::string format;     ///< as study::ExportFormat
  std::string name;       ///< "" for that of the study
  std::string precision;  ///< as model::CNumber
  std::optional<double> step;
  bool force = false;
};

/// Writes the model of a study for other programs; returns what is worth knowing.
[[nodiscard]] std::vector<std::string> export_to(const study::LoadedStudy& loaded,
                                                 const ExportRequest& request,
                                                 const study::RunOptions& options);

/// Writes all files of a result and its report, as the tool does, into a folder that appears as a
/// whole. @throws DataError if something else is there.
void write(const study::TaskResult& result, const std::filesystem::path& folder);

}  // namespace alembert::python
