#include "study/tasks/identify/tables_identify.hpp"

#include "study/parts/linear/tables_model.hpp"
#include "study/tasks/identify/identify_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& combination_table() {
  static const KeySpec weight{
      .name = "NAME", .forms = kNumber, .help = "weight of the coordinate NAME"};
  static const TableSpec table{
      .path = "sensors.NAME.at",
      .help = "A combination, for example { q1 = 1.0, q2 = -1.0 } for relative motion.",
      .any_name = &weight};
  return table;
}

const TableSpec& output_sensor_table() {
  static const TableSpec table{
      .path = "sensors.NAME",
      .help = "The sensor behind the output NAME.",
      .keys = {{.name = "measures",
                .forms = kText,
                .help = "what the sensor sees",
                .choices = {"displacement", "velocity", "acceleration"},
                .fallback = "\"displacement\""},
               {.name = "at",
                .forms = kText | kTable,
                .help = "coordinate, or a combination",
                .fallback_note = "the coordinate of that name, else in order",
                .table = &combination_table()},
               {.name = "unit",
                .forms = kText,
                .help = "of the column, where the file names none or a wrong one",
                .fallback_note = "that of the file, else of the model"},
               {.name = "sigma",
                .forms = kNumber,
                .help = "known standard deviation of the noise; for all sensors or none",
                .unit = "sensor",
                .range = above(0.0),
                .fallback_note = "estimated from the residuals"}}};
  return table;
}

}  // namespace

const TableSpec& output_sensors_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "sensor behind the output NAME",
                           .table = &output_sensor_table()};
  static const TableSpec table{
      .path = "sensors",
      .help =
          "What the outputs measure, by the names of data.outputs. `all` holds for every output "
          "that has no table of its own.",
      .any_name = &any};
  return table;
}

const TableSpec& truth_table() {
  constexpr unsigned kMatrixForms = kNumber | kRows | kText | kTable;
  static const TableSpec table{
      .path = "truth",
      .help = "The matrices that the data were simulated with; errors are given against them.",
      .keys = {{.name = "mass",
                .forms = kMatrixForms,
                .help = "true M",
                .required = true,
                .table = &matrix_table()},
               {.name = "stiffness",
                .forms = kMatrixForms,
                .help = "true K",
                .required = true,
                .table = &matrix_table()},
               {.name = "damping",
                .forms = kMatrixForms,
                .help = "true D",
                .fallback_note = "no damping",
                .table = &damping_table()}}};
  return table;
}

const TableSpec& identify_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Symmetric M, D and K of M q'' + D q' + K q = L u from measured forces and responses, "
          "each entry with its standard deviation.",
      .keys = identify_keys().specs()};
  return table;
}

}  // namespace alembert::study
