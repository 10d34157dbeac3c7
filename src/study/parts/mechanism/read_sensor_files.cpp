#include "study/parts/mechanism/read_sensor_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/parts/data/measured_data.hpp"

namespace alembert::study {
namespace {

FileColumn column_to_read(const TableReader& sensors, const std::string& name,
                          const SensorColumn& use) {
  const TableReader table = sensors.table(name);
  return {.key = table.name("column"),
          .column = use.column,
          .place = table.has("column") ? table.place("column") : sensors.key_place(name)};
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

signal::Record sensor_record(const TableReader& table, const DataFile& file,
                             const std::vector<FileColumn>& columns) {
  signal::Record record = only_record(read_columns(table, file, columns), file);
  if (record.size() > 1) return record;
  throw DataError(file.place,
                  fmt::format("{}: {} holds fewer than two samples", file.key, file.name));
}

/// Columns of data.file and of the files that sensors have for themselves.
class SensorFiles {
 public:
  SensorFiles(const TableReader& data, const FileContext& files, ObserveStudy& study)
      : data_(data), sensors_(data.table("sensors")), files_(files), study_(study) {}

  void read() {
    std::vector<FileColumn> shared;
    for (std::size_t i = 0; i < study_.columns.size(); ++i) {
      columns_.push_back(column_to_read(sensors_, name(i), study_.columns[i]));
      if (!own(i)) shared.push_back(columns_.back());
    }
    if (shared.empty()) {
      refuse_common_keys();
      study_.source = "files of the sensors";
    } else {
      read_shared(shared);
    }
    if (study_.columns.size() == shared.size() && !any_delay()) {
      study_.time = record_.time();
      for (std::size_t i = 0; i < columns_.size(); ++i) keep(i, readings_of(i, record_));
    } else {
      merge();
    }
  }

 private:
  [[nodiscard]] const std::string& name(std::size_t i) const {
    return study_.mechanism->description().sensors[i].name;
  }
  [[nodiscard]] bool own(std::size_t i) const { return sensors_.table(name(i)).has("file"); }
  [[nodiscard]] bool any_delay() const {
    return std::any_of(study_.columns.begin(), study_.columns.end(),
                       [](const SensorColumn& one) { return one.delay != 0.0; });
  }

  // Keys of a common file, which no sensor is in.
  void refuse_common_keys() const {
    for (const char* key : {"file", "time", "step", "dataset", "from", "to", "every", "resample",
                            "jitter", "filter"}) {
      if (!data_.has(key)) continue;
      data_.fail_at_key(key,
                        fmt::format("{} has no place here: every sensor has a file of its own, "
                                    "and times with it",
                                    data_.name(key)));
    }
  }

  // A low pass takes the jump of a wrapped angle for motion.
  void refuse_filters_of_angles() const {
    for (const char* key : {"filter", "every", "resample"}) {
      if (!data_.has(key)) continue;
      for (std::size_t i = 0; i < study_.columns.size(); ++i) {
        const TableReader sensor = sensors_.table(name(i));
        if (own(i) || !sensor.has("wrap") || !sensor.boolean("wrap")) continue;
        data_.fail_at_key(key,
                          fmt::format("{} would smear the jumps of {}, which starts again after "
                                      "one turn (wrap)",
                                      data_.name(key), sensors_.name(name(i))));
      }
    }
  }

  void read_shared(const std::vector<FileColumn>& columns) {
    if (!data_.has("file")) {
      throw StudyError(data_.place(""), "[data] needs the key \"file\": readings of the sensors");
    }
    refuse_filters_of_angles();
    const DataFile file = data_file(data_, "file", files_);
    record_ = sensor_record(data_, file, columns);
    study_.source = file.name;
  }

  Eigen::VectorXd readings_of(std::size_t i, const signal::Record& record) {
    return sensor_readings(record, columns_[i], study_.mechanism->description().sensors[i], study_,
                           study_.columns[i]);
  }

  void keep(std::size_t i, const Eigen::VectorXd& readings) {
    study_.readings.conservativeResize(readings.size(), static_cast<Eigen::Index>(columns_.size()));
    study_.readings.col(static_cast<Eigen::Index>(i)) = readings;
  }

  void merge() {
    std::vector<estimate::SensorSeries> series;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const TableReader table = sensors_.table(name(i));
      const signal::Record record =
          own(i) ? sensor_record(table, data_file(table, "file", files_), {columns_[i]}) : record_;
      // A reading that comes late is of an instant before its own.
      series.push_back(
          {record.time().times().array() - study_.columns[i].delay, readings_of(i, record)});
    }
    estimate::MergedReadings merged = estimate::merge_readings(series);
    study_.time = signal::TimeAxis::given(std::move(merged.time));
    study_.readings = std::move(merged.values);
  }

  const TableReader data_;
  const TableReader sensors_;
  const FileContext& files_;
  ObserveStudy& study_;
  std::vector<FileColumn> columns_;
  signal::Record record_;
};

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
  const FileContext noted = files.noting(study.notes);
  SensorFiles(data, noted, study).read();
}

}  // namespace alembert::study
