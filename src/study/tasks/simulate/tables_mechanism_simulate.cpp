#include "study/tasks/simulate/tables_mechanism_simulate.hpp"

#include "study/parts/data/tables_data.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

const TableSpec& motion_curve_table() {
  static const TableSpec table{
      .path = "simulate.motion.COORDINATE",
      .help =
          "A motion that was measured or planned: the quintic spline through the samples of a "
          "column. Its times must cover the record, which begins at 0 s.",
      .keys = joined({own_file_key(),
                      {.name = "column",
                       .forms = kText,
                       .help = "column with the coordinate",
                       .required = true}},
                     file_time_keys()),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForMechanisms};
  return table;
}

const TableSpec& motion_table() {
  static const KeySpec any{.name = "COORDINATE",
                           .forms = kText | kNumber | kTable,
                           .help = "a formula in t, a number where it stands still, or a file",
                           .unit = "rad, m",
                           .table = &motion_curve_table()};
  static const TableSpec table{
      .path = "simulate.motion",
      .help =
          "How each coordinate of the mechanism moves, for example \"angle(crank)\" = \"12.5*t + "
          "0.1*sin(4*pi*t)\", in the language of equations.md; t is the time in s. Velocities and "
          "accelerations are its exact derivatives.",
      .any_name = &any,
      .model = kForMechanisms};
  return table;
}

const TableSpec& motion_constants_table() {
  static const KeySpec any{.name = "NAME", .forms = kNumber, .help = "value of the constant NAME"};
  static const TableSpec table{.path = "simulate.constants",
                               .help = "Numbers that the formulas of the motion use by name.",
                               .any_name = &any,
                               .model = kForMechanisms};
  return table;
}

const TableSpec& released_table() {
  static const TableSpec table{
      .path = "simulate.start",
      .help =
          "In place of simulate.motion: where the mechanism is let go, to move by its masses and "
          "by the forces of simulate.forces.",
      .keys = {{.name = "coordinates",
                .forms = kNumbers,
                .help = "one for each coordinate; the mechanism is assembled there",
                .unit = "rad, m",
                .required = true},
               {.name = "velocities",
                .forms = kNumbers,
                .help = "one for each coordinate",
                .unit = "rad/s, m/s",
                .fallback_note = "at rest"}},
      .model = kForMechanisms};
  return table;
}

const TableSpec& acting_forces_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kText | kNumber,
                           .help = "the force NAME: a formula in t, or a number",
                           .unit = "N, N m"};
  static const TableSpec table{
      .path = "simulate.forces",
      .help =
          "How the forces of [mechanism.forces] act. With simulate.start all of them; with "
          "simulate.motion the unknown ones, and those that sensors read follow from the motion, "
          "the masses and these.",
      .any_name = &any,
      .model = kForMechanisms};
  return table;
}

const TableSpec& true_lengths_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kNumber,
                           .help = "how much longer the length NAME is than the study gives it",
                           .unit = "m"};
  static const TableSpec table{
      .path = "simulate.lengths",
      .help =
          "Lengths of [mechanism.parameters] that the real mechanism has otherwise: what the "
          "observer is not told.",
      .any_name = &any,
      .model = kForMechanisms};
  return table;
}

const TableSpec& mechanism_sensor_errors_table() {
  static const TableSpec table = [] {
    TableSpec made{.path = "simulate.sensors.NAME",
                   .help =
                       "Errors that a sensor of [data.sensors] has beside the noise, the counts, "
                       "the wrap and the offset that are given there: what the observer is not "
                       "told. In rad, m and s.",
                   .model = kForMechanisms};
    for (KeySpec key : sensor_error_keys().specs()) {
      if (key.name == "counts") continue;
      if (key.unit == "sensor") key.unit = "rad, m, s";
      if (key.name == "sigma") key.fallback_note = "that of data.sensors";
      made.keys.push_back(key);
    }
    made.rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"sigma", "snr"}},
                  {.kind = KeyRule::Kind::Needs, .keys = {"bits", "range"}},
                  {.kind = KeyRule::Kind::Needs, .keys = {"range", "bits"}}};
    return made;
  }();
  return table;
}

const TableSpec& mechanism_sensor_errors() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "errors of the sensor NAME",
                           .table = &mechanism_sensor_errors_table()};
  static const TableSpec table{.path = "simulate.sensors",
                               .help = "Further errors of the sensors of [data.sensors].",
                               .any_name = &any,
                               .model = kForMechanisms};
  return table;
}

std::vector<KeySpec> motion_tables() {
  return {{.name = "motion",
           .forms = kTable,
           .help = "how the coordinates move, one entry for each",
           .table = &motion_table()},
          {.name = "start",
           .forms = kTable,
           .help = "in place of motion: where it is let go, to move by masses and forces",
           .table = &released_table()},
          {.name = "constants",
           .forms = kTable,
           .help = "numbers that the formulas use by name",
           .fallback_note = "none",
           .table = &motion_constants_table()},
          {.name = "forces",
           .forms = kTable,
           .help = "how the forces act",
           .fallback_note = "zero",
           .table = &acting_forces_table()},
          {.name = "lengths",
           .forms = kTable,
           .help = "lengths that are not what the study says",
           .fallback_note = "none",
           .table = &true_lengths_table()},
          {.name = "sensors",
           .forms = kTable,
           .help = "further errors of the sensors",
           .fallback_note = "none",
           .table = &mechanism_sensor_errors()}};
}

}  // namespace

const TableSpec& mechanism_simulate_table() {
  static const TableSpec table = [] {
    TableSpec made{
        .path = "simulate",
        .help =
            "What the sensors of a mechanism would record of a motion that is known, or of one "
            "that its masses and forces make.",
        .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"samples", "duration"}},
                  {.kind = KeyRule::Kind::ExactlyOne, .keys = {"motion", "start"}}},
        .model = kForMechanisms};
    for (const std::vector<KeySpec>& part :
         {simulate_time_keys().specs(), simulate_count_keys().specs(), motion_tables()}) {
      for (KeySpec key : part) {
        key.tasks.clear();  // beside [observe] its task may be that
        key.fallback_note = key.fallback_note == "that of the data file" ? "" : key.fallback_note;
        key.required = key.required || key.name == "step";
        if (key.name == "experiments") key.help = "repetitions, each with new noise";
        made.keys.push_back(std::move(key));
      }
    }
    return made;
  }();
  return table;
}

}  // namespace alembert::study
