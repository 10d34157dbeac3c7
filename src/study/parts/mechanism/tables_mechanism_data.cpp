#include "study/parts/mechanism/tables_mechanism_data.hpp"

#include "study/parts/conditioning/condition_keys.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/mechanism/mechanism_sensor_keys.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

std::vector<KeySpec> mechanism_sensor_column_keys() {
  return {{.name = "column",
           .forms = kText,
           .help = "column of the file; of the record that [simulate] writes",
           .fallback_note = "the name of the sensor"},
          {.name = "file",
           .forms = kText,
           .help = "file of this sensor alone, with times of its own",
           .fallback_note = "data.file"}};
}

std::vector<KeySpec> own_file_time_keys() {
  std::vector<KeySpec> keys = file_time_keys();
  for (KeySpec& key : keys) key.help += ", of its own file";
  return keys;
}

const TableSpec& mechanism_sensor_table() {
  static const TableSpec table = [] {
    TableSpec made{
        .path = "data.sensors.NAME",
        .help =
            "A sensor on the mechanism: reading = quantity + offset + noise. An empty cell of the "
            "file is a missing reading.",
        .keys = mechanism_sensor_column_keys(),
        .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"of", "at"}},
                  {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}},
                  {.kind = KeyRule::Kind::Needs, .keys = {"time", "file"}},
                  {.kind = KeyRule::Kind::Needs, .keys = {"step", "file"}},
                  {.kind = KeyRule::Kind::Needs, .keys = {"dataset", "file"}},
                  {.kind = KeyRule::Kind::AtLeastOne, .keys = {"sigma", "counts"}}}};
    for (const std::vector<KeySpec>& part :
         {own_file_time_keys(), mechanism_sensor_keys().specs()}) {
      made.keys = joined(std::move(made.keys), part);
    }
    return made;
  }();
  return table;
}

const TableSpec& mechanism_sensors_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "the sensor NAME",
                           .table = &mechanism_sensor_table()};
  static const TableSpec table{
      .path = "data.sensors", .help = "What was measured, and how well.", .any_name = &any};
  return table;
}

const TableSpec& truth_columns_table() {
  static const KeySpec any{.name = "STATE",
                           .forms = kText,
                           .help =
                               "column of the file with the true STATE, which is named as in "
                               "estimates.csv or as \"angle(crank)'\""};
  static const TableSpec table{.path = "data.truth.columns",
                               .help = "Columns of the true motion by the names of the states.",
                               .any_name = &any};
  return table;
}

const TableSpec& motion_truth_file_table() {
  static const TableSpec table{
      .path = "data.truth",
      .help =
          "The true motion where it is known, such as truth.csv of [simulate]: the errors of the "
          "estimate are held against its covariances. Times must be those of the readings; angles "
          "count turns as the estimate does.",
      .keys = joined(joined({{.name = "file",
                              .forms = kText,
                              .help = "file with the true motion",
                              .fallback_note = "data.file"}},
                            own_file_time_keys()),
                     {{.name = "columns",
                       .forms = kTable,
                       .help = "columns of the states",
                       .fallback_note = "those that are named as the states in estimates.csv",
                       .table = &truth_columns_table()}}),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"time", "file"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"step", "file"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"dataset", "file"}}}};
  return table;
}

}  // namespace

const TableSpec& mechanism_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Readings of the sensors, one column each: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff "
          ".unv .mtx .npy .npz .lvm .wav .tdms.",
      .keys = joined(
          joined(
              {{.name = "file",
                .forms = kText,
                .help = "file, relative to the study; [simulate] and `alembert observe --stream` "
                        "need none"}},
              joined(joined(file_time_keys(), condition_specs()), read_limit_keys())),
          {{.name = "sensors",
            .forms = kTable,
            .help = "what was measured",
            .required = true,
            .table = &mechanism_sensors_table()},
           {.name = "truth",
            .forms = kTable,
            .help = "the true motion, to compare the estimate with",
            .fallback_note = "not known",
            .table = &motion_truth_file_table()}}),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForMechanisms};
  return table;
}

}  // namespace alembert::study
