#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/linear_model.hpp"
#include "alembert/study/sensors.hpp"
#include "study/parts/data/sample_grid.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [simulate.sensors] of a linear model. Problems are collected.
[[nodiscard]] std::vector<SensorDescription> read_sensors(const TableReader& sensors,
                                                          const LinearModel& model,
                                                          const SampleGrid& grid,
                                                          std::vector<Problem>& problems);

/// Reads the key `at` of a sensor into its weights and place; returns the unit that the model has
/// there for the sensor's quantity. @throws StudyError
std::string read_place(const TableReader& table, const LinearModel& model,
                       SensorDescription& sensor);

}  // namespace alembert::study
