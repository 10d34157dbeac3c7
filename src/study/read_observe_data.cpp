#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "study/file_columns.hpp"
#include "study/mapped.hpp"
#include "study/measured_data.hpp"
#include "study/read_observe.hpp"

namespace alembert::study {
namespace {

std::vector<FileColumn> columns_to_read(const TableReader& data, const ObserveStudy& study) {
  const TableReader sensors = data.table("sensors");
  std::vector<FileColumn> columns;
  for (std::size_t i = 0; i < study.columns.size(); ++i) {
    const std::string& name = study.mechanism->description().sensors[i].name;
    const TableReader table = sensors.table(name);
    columns.push_back(
        {.key = table.name("column"),
         .column = study.columns[i].column,
         .place = table.has("column") ? table.place("column") : sensors.key_place(name)});
  }
  return columns;
}

// A column in the unit of its sensor.
Eigen::VectorXd sensor_readings(const signal::Record& record, const FileColumn& column,
                                const model::planar::Sensor& sensor, ObserveStudy& study,
                                SensorColumn& use) {
  check_not_infinite(record, column);
  const auto channel = static_cast<std::size_t>(record.find(column.column).value());
  use.column_unit = record.channels()[channel].unit;
  use.factor = reading_factor(column, use, sensor, study.notes);
  const Eigen::VectorXd readings = use.factor * record.values(column.column);
  if (!readings.array().isNaN().all()) return readings;
  throw DataError(column.place,
                  fmt::format("{}: column \"{}\" has no numbers", column.key, column.column));
}

}  // namespace

double reading_factor(const FileColumn& column, const SensorColumn& use,
                      const model::planar::Sensor& sensor, std::vector<std::string>& notes) {
  const std::string& unit = use.column_unit;
  if (!sensor.counts) return column_factor(column, unit, use.unit, notes);
  if (unit.empty() || unit == "count" || unit == "counts" || unit == "1") return 1.0;
  // counts = angle · counts a turn / 2π
  return column_factor(column, unit, "rad", notes) * *sensor.counts / (2.0 * std::numbers::pi);
}

void read_observe_data(const TableReader& data, const FileContext& files, ObserveStudy& study) {
  if (!data.has("file")) {
    throw StudyError(data.place(""), "[data] needs the key \"file\": readings of the sensors");
  }
  const DataFile file = data_file(data, "file", files);
  const std::vector<FileColumn> columns = columns_to_read(data, study);
  const signal::Records records = read_columns(data, file, columns);
  if (records.size() != 1) {
    throw DataError(file.place, fmt::format("{}: {} must hold exactly one record, got {}", file.key,
                                            file.name, records.size()));
  }
  const signal::Record& record = records.front();
  if (record.size() < 2) {
    throw DataError(file.place,
                    fmt::format("{}: {} holds fewer than two samples", file.key, file.name));
  }
  study.source = file.name;
  study.time = record.time();
  study.readings.resize(record.size(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    study.readings.col(static_cast<Eigen::Index>(i)) = sensor_readings(
        record, columns[i], study.mechanism->description().sensors[i], study, study.columns[i]);
  }
}

}  // namespace alembert::study
