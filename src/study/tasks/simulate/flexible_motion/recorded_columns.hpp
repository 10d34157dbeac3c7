#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/simulate.hpp"
#include "study/schema/table_reader.hpp"

/// What the records of all kinds of mechanisms share.
namespace alembert::study {

/// The column of a sensor; no two may be the same, and none that of the time. @throws StudyError
[[nodiscard]] std::string read_record_column(const TableReader& sensors, const std::string& name,
                                             const std::vector<SensorDescription>& before);

/// The known delay and that which the observer is not told, together. @throws StudyError
[[nodiscard]] double read_whole_delay(const TableReader& known, const TableReader& errors,
                                      const SimulateStudy& study);

/// [simulate.sensors] names sensors that there are. @throws StudyError
void check_sensor_errors(const TableReader& errors, const std::vector<std::string>& names,
                         std::vector<Problem>& problems);

}  // namespace alembert::study
