#pragma once

#include <string>
#include <vector>

#include "alembert/study/sensors.hpp"
#include "study/parts/data/sample_grid.hpp"
#include "study/schema/table_reader.hpp"

/// What simulated sensors of all models share.
namespace alembert::study {

/// Reads the unit of a sensor and the factor from that of the model. @throws StudyError
void read_sensor_unit(const TableReader& table, const std::string& model_unit,
                      SensorDescription& sensor);

/// Reads noise, bias, rate, delay, resolution of a sensor whose unit is known. @throws StudyError
void read_sensor_errors(const TableReader& table, const SampleGrid& grid,
                        SensorDescription& sensor);

/// Checks that a sensor may be called so beside the inputs. @throws StudyError at the key
void check_sensor_name(const TableReader& sensors, const std::string& name,
                       const std::vector<std::string>& inputs);

}  // namespace alembert::study
