#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/tasks/acceleration/acceleration_keys.hpp"
#include "study/tasks/acceleration/read_acceleration.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kFewestMotionSamples = 8;

/// A measured quantity of the motion.
struct MotionColumn {
  const char* key;
  const char* unit;
};
constexpr MotionColumn kMotionColumns[] = {
    {"acceleration", "m/s2"}, {"velocity", "m/s"}, {"displacement", "m"}};

class MotionReader {
 public:
  MotionReader(const TableReader& data, const std::vector<NamedColumn>& inputs,
               AccelerationStudy& study)
      : data_(data), inputs_(inputs), study_(study) {
    for (const MotionColumn& one : kMotionColumns) {
      if (!data.has(one.key)) continue;
      columns_.push_back({data.name(one.key), data.text(one.key), data.place(one.key)});
      study.columns.push_back(
          {.name = one.key, .column = columns_.back().column, .column_unit = "", .unit = one.unit});
    }
    for (const NamedColumn& one : inputs) {
      columns_.push_back(one.column);
      study.columns.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
  }

  void add(const DataFile& file) {
    // The pulse of a force may be one sample; a motion has none that is far beyond all others.
    const signal::SpikeUse spikes =
        inputs_.empty() ? signal::SpikeUse::Bridge : signal::SpikeUse::Keep;
    for (const signal::Record& record : read_columns(data_, file, columns_, spikes)) {
      check_length(record, file);
      const double step = even_step(record, file);
      identify::AccelerationRecord motion{
          .step = step, .start_time = record.time().start(), .acceleration = values(record, 0)};
      std::size_t next = 1;
      if (data_.has("velocity")) motion.velocity = values(record, next++);
      if (data_.has("displacement")) motion.displacement = values(record, next++);
      motion.forcing.resize(record.size(), static_cast<Eigen::Index>(inputs_.size()));
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        motion.forcing.col(static_cast<Eigen::Index>(i)) = values(record, next++);
      }
      study_.sources.push_back({.file = file.name, .start_time = motion.start_time});
      study_.records.push_back(std::move(motion));
    }
  }

 private:
  // [data] may have left few samples.
  static void check_length(const signal::Record& record, const DataFile& file) {
    if (record.size() >= kFewestMotionSamples) return;
    throw DataError(file.place,
                    fmt::format("{}: {} has {} samples to be used; at least {} are "
                                "needed",
                                file.key, file.name, record.size(), kFewestMotionSamples));
  }

  // A column in the unit of the equation; the unit that the study names beats that of the file.
  Eigen::VectorXd values(const signal::Record& record, std::size_t place) {
    const FileColumn& column = columns_[place];
    ColumnUse& use = study_.columns[place];
    check_complete(record, column);
    const auto channel = static_cast<std::size_t>(record.find(column.column).value());
    std::string unit = record.channels()[channel].unit;
    if (place == 0 && data_.has("unit")) unit = data_.text("unit");
    use.column_unit = unit;
    if (use.unit.empty()) return record.values(column.column);
    use.factor = column_factor(column, unit, use.unit, study_.notes);
    return use.factor * record.values(column.column);
  }

  const TableReader& data_;
  const std::vector<NamedColumn>& inputs_;
  AccelerationStudy& study_;
  std::vector<FileColumn> columns_;
};

}  // namespace

void read_motion_records(const TableReader& data, const std::vector<NamedColumn>& inputs,
                         const FileContext& files, AccelerationStudy& study) {
  motion_channel_keys().read(data, study.options);
  const FileContext noted = files.noting(study.notes);
  const std::vector<DataFile> list = data.has("files")
                                         ? data_files(data, "files", noted)
                                         : std::vector<DataFile>{data_file(data, "file", noted)};
  MotionReader reader(data, inputs, study);
  for (const DataFile& file : list) reader.add(file);
}

identify::StaticTest read_static_test(const TableReader& table, const FileContext& files,
                                      std::vector<std::string>& notes) {
  identify::StaticTest test = static_test_keys().read(table);
  std::string key = "points";
  if (table.has("points")) {
    const Eigen::MatrixXd points = table.rows("points");
    if (points.cols() != 2) {
      table.fail("points", fmt::format("must have rows of displacement and force, got rows of {}",
                                       points.cols()));
    }
    test.displacement = points.col(0);
    test.force = points.col(1);
  } else {
    key = "file";
    const DataFile file = data_file(table, "file", files);
    const auto column = [&](const char* name) {
      return FileColumn{table.name(name), table.text(name), table.place(name)};
    };
    const FileColumn x = column("displacement");
    const FileColumn force = column("force");
    const signal::Records records = read_columns_without_time(table, file, {x, force});
    const signal::Record& record = records.front();
    const auto in_unit = [&](const FileColumn& one, const char* unit) -> Eigen::VectorXd {
      check_complete(record, one);
      const auto channel = static_cast<std::size_t>(record.find(one.column).value());
      return column_factor(one, record.channels()[channel].unit, unit, notes) *
             record.values(one.column);
    };
    test.source = file.name;
    test.displacement = in_unit(x, "m");
    test.force = in_unit(force, "N");
  }
  try {
    (void)identify::fit_static_curve(test.displacement, test.force);
  } catch (const InvalidInput& error) {
    throw DataError(table.place(key), table.name(key) + ": " + error.reason());
  }
  return test;
}

}  // namespace alembert::study
