#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/simulate.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Inputs that come from the study's data file.
struct DataInputs {
  double start = 0.0;  ///< time of the first sample, s
  double step = 0.0;   ///< s
  Eigen::Index samples = 0;
  std::vector<std::optional<FileInput>> inputs;  ///< one slot for each model input
  std::vector<std::string> notes;
};

/// Reads the columns that [data] names.
/// @throws DataError for a missing file or column, gaps, missing samples, uneven times, units
///   that do not fit. @throws StudyError for an input that the model does not have.
[[nodiscard]] DataInputs read_data_inputs(const TableReader& data, const ModelDescription& model,
                                          const FileContext& files);

/// Reads start, step and samples, which data may fix.
void read_time(const TableReader& simulate, const std::optional<DataInputs>& data,
               SimulateStudy& study);

/// Takes the notes of the data, and as many of their samples as the study has.
void use_data(std::optional<DataInputs>& data, SimulateStudy& study);

/// Reads seed, experiments and truth.
void read_counts(const TableReader& simulate, SimulateStudy& study);

/// Reads [simulate.inputs]; needs model, step and samples of the study.
void read_inputs(const TableReader& simulate, std::optional<DataInputs> data, SimulateStudy& study,
                 std::vector<Problem>& problems);

/// The source that one table of [simulate.inputs] describes.
[[nodiscard]] InputSource read_input_source(const TableReader& input, const SimulateStudy& study);

/// Reads [simulate.sensors]; needs model, step and samples of the study.
void read_sensors(const TableReader& simulate, SimulateStudy& study,
                  std::vector<Problem>& problems);

/// Reads the key `at` of a sensor into its weights and place; returns the unit that the model has
/// there for the sensor's quantity. @throws StudyError
std::string read_place(const TableReader& table, const ModelDescription& model,
                       SensorDescription& sensor);

/// Reads the unit of a sensor and the factor from that of the model. @throws StudyError
void read_sensor_unit(const TableReader& table, const std::string& model_unit,
                      SensorDescription& sensor);
/// Reads noise, bias, rate, delay, resolution of a sensor whose unit is known. @throws StudyError
void read_sensor_errors(const TableReader& table, const SimulateStudy& study,
                        SensorDescription& sensor);
/// Checks that a sensor may be called so. @throws StudyError at the key
void check_sensor_name(const TableReader& sensors, const std::string& name,
                       const ModelDescription& model);

/// Reads the whole study for task [simulate] of equations; what is wrong is added to `problems`.
[[nodiscard]] SimulateStudy read_equation_simulate(const TableReader& root,
                                                   const FileContext& files,
                                                   std::vector<Problem>& problems);

/// Reads the whole study for task [simulate] of a mechanism; what is wrong is added to `problems`.
[[nodiscard]] SimulateStudy read_mechanism_simulate(const TableReader& root,
                                                    const FileContext& files,
                                                    std::vector<Problem>& problems);

/// Reads the whole study for task [simulate]; what is wrong is added to `problems`.
[[nodiscard]] SimulateStudy read_simulate(const TableReader& root, const FileContext& files,
                                          std::vector<Problem>& problems);

/// The whole number of steps that a time stands for. @throws StudyError at the key if it is not a
/// multiple of the step within 1e-6 of a step, or less than one step.
[[nodiscard]] Eigen::Index steps_in(const TableReader& table, const std::string& key, double step);

/// The factor that turns numbers in one unit into another: none if they do not fit.
/// Equal labels always fit, known or not.
[[nodiscard]] std::optional<double> conversion(const std::string& from, const std::string& to);

}  // namespace alembert::study
