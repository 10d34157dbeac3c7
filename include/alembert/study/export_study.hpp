#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/code/linear_program.hpp"
#include "alembert/code/program.hpp"
#include "alembert/core/enum_names.hpp"
#include "alembert/study/run_options.hpp"
#include "alembert/study/study.hpp"

/// The model of a study for other programs. See docs/export.md.
namespace alembert::study {

enum class ExportFormat {
  C,    ///< a folder with NAME.h, NAME.c, and a test that replays the study's record
  Fmu,  ///< a unit of FMI 2.0, with sources and a binary for this machine
  Mat,  ///< the matrices of a linear model for MATLAB, Octave and SciPy
  Npz   ///< the same for NumPy
};
constexpr auto enum_names(ExportFormat) {
  return std::to_array<EnumName<ExportFormat>>({{ExportFormat::C, "c"},
                                                {ExportFormat::Fmu, "fmu"},
                                                {ExportFormat::Mat, "mat"},
                                                {ExportFormat::Npz, "npz"}});
}

struct ExportOptions {
  std::string name;  ///< of what is written, as code::c_name() allows; "" for that of the study
  model::CNumber precision = model::CNumber::Double;
  std::optional<double> step;  ///< s, for a model whose study has none ([reduce])
};

/// A named matrix of a model.
struct ExportedMatrix {
  std::string name;  ///< "A", "M", ...
  Eigen::MatrixXd values;
};

/// What is written.
struct StudyExport {
  std::string kind;  ///< "equations", "linear model", ...
  code::Program program;
  code::Replay replay;
  std::vector<ExportedMatrix> matrices;  ///< of a linear model, else empty
  std::vector<std::string> notes;        ///< what is worth knowing
};

/// Makes a program of the model that a study has: [simulate] of equations or matrices as they are,
/// [identify] (output-error, M, D, K, state-space) and [reduce] after the task has been done.
/// @throws StudyError naming what of the study cannot be exported, and why.
[[nodiscard]] StudyExport export_study(const LoadedStudy& loaded, const ExportOptions& options,
                                       const RunContext& context);

/// Writes what was asked for. A folder of a program appears as a whole, and takes the place of one
/// that holds nothing but the files of an earlier export; a file is replaced only by `force`. The
/// binary of an FMU is made by the C compiler of this machine; without one the notes say so.
/// @throws DataError if something else is there or cannot be written, StudyError for the matrices
/// of a model that is not linear.
void write_export(StudyExport& found, ExportFormat format, const std::filesystem::path& target,
                  bool force = false);

}  // namespace alembert::study
