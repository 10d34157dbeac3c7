#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/identify/modes/ambient_modes.hpp"
#include "alembert/identify/modes/decay_modes.hpp"
#include "alembert/identify/modes/modal_scaling.hpp"
#include "alembert/identify/modes/record_modes.hpp"
#include "alembert/identify/modes/shape_geometry.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/run_options.hpp"

/// The task [identify] with method = "modes": frequencies, damping and shapes from records of
/// forces and responses, of responses alone, of free decays, or from frequency responses.
namespace alembert::study {

/// What the data of a study of modes are.
enum class ModesData {
  Forces,   ///< records of forces and responses
  Ambient,  ///< records of responses to forces that nobody measured
  Taps,     ///< records of free decays
  Frf       ///< frequency responses
};
constexpr auto enum_names(ModesData) {
  return std::to_array<EnumName<ModesData>>({{ModesData::Forces, "forces"},
                                             {ModesData::Ambient, "ambient"},
                                             {ModesData::Taps, "taps"},
                                             {ModesData::Frf, "frf"}});
}

/// What a study says of the method; each kind of data has its own.
struct ModesSettings {
  ModesData data = ModesData::Forces;
  identify::RecordModesOptions forced;  ///< its modes, from_hz and to_hz also for FRFs
  identify::AmbientOptions ambient;
  identify::DecayOptions taps;
  std::vector<std::string> driving_point;  ///< response and force at one place; empty: none
  std::optional<model::Motion> measures;   ///< of the responses; none: by their unit
};

/// Where force and response are measured at one place, and what the responses are.
struct ModesScale {
  identify::DrivingPoint point;
  model::Motion motion = model::Motion::Acceleration;
};

/// The form of the structure, with the place of each response.
struct ModesGeometry {
  identify::ShapeGeometry structure;
  std::vector<identify::SensorPlace> sensors;  ///< one per response
};

/// Everything that the task needs, read from a study and checked.
struct ModesStudy {
  std::string title;
  std::filesystem::path file;                    ///< the study
  std::string text;                              ///< the study as written, for the report
  std::vector<std::string> overrides;            ///< `key=value` from the command line
  std::vector<ColumnUse> inputs, outputs;        ///< without inputs the forces are not known
  std::vector<signal::InputOutput> experiments;  ///< in the units of the columns
  std::vector<ExperimentSource> sources;         ///< one per experiment
  double step = 0.0;                             ///< s; 0 for frequency responses
  std::optional<identify::FrfData> responses;    ///< of the band, in place of experiments
  ModesSettings settings;
  std::optional<ModesGeometry> geometry;
  std::optional<ModesScale> scale;
  std::vector<std::string> notes;

  [[nodiscard]] Eigen::Index samples() const;  ///< of all experiments
};

/// What was found.
struct ModesOutcome : Outcome {
  ModesStudy study;
  std::vector<identify::Mode> modes;  ///< ascending frequency
  std::vector<identify::StabilityPoint> diagram;
  std::vector<std::string> warnings;
  Verdict verdict;
  std::optional<identify::RecordModes> forced;    ///< of the kind Forces
  std::optional<identify::AmbientModes> ambient;  ///< of the kind Ambient
  std::optional<identify::DecayModes> taps;       ///< of the kind Taps
  std::optional<identify::FrfModes> frf;          ///< of the kind Frf
  /// Unit modal mass, one for each mode; empty without a driving point.
  std::vector<identify::ScaledMode> scaled;

  /// The modal model of frequency responses, measured or estimated; nullptr where there is none.
  [[nodiscard]] const identify::FrfModes* responses() const;
};

/// Whether there are modes, and every one has a shape of all outputs.
[[nodiscard]] bool has_shapes(const ModesOutcome& result);

/// Finds the modes. One thread.
/// @throws DataError if the methods cannot use what the study asks for.
[[nodiscard]] ModesOutcome run_modes(ModesStudy study, const RunOptions& options = {});

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const ModesOutcome& result);

/// Whether the modes make a model: a driving point, and a mode whose scale is trusted there.
[[nodiscard]] bool has_modal_model(const ModesOutcome& result);

/// Writes result.json and shapes.csv (one row per output; real and imaginary part of each mode in
/// turn) into an existing folder, with a geometry modes.unv, and with a driving point
/// modal-model.toml, a study whose model are the modes. @throws DataError if a file cannot be
/// written.
void write_modes_result(const ModesOutcome& result, const std::filesystem::path& folder);

}  // namespace alembert::study
