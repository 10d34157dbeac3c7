#include "study/schema/tables.hpp"

namespace alembert::study {
namespace {

const TableSpec& newmark_table() {
  static const TableSpec table{
      .path = "simulate.newmark",
      .help =
          "Parameters of method = \"newmark\". The defaults are the constant average "
          "acceleration rule: second order, stable for any step.",
      .keys = {{.name = "beta",
                .forms = kNumber,
                .help = "weight of the new acceleration in the displacement",
                .range = within(0.0, 1.0),
                .fallback = "0.25"},
               {.name = "gamma",
                .forms = kNumber,
                .help = "weight of the new acceleration in the velocity",
                .range = within(0.0, 1.0),
                .fallback = "0.5"}}};
  return table;
}

const TableSpec& start_table() {
  static const TableSpec table{.path = "simulate.start",
                               .help = "The state at the first sample.",
                               .keys = {{.name = "displacement",
                                         .forms = kNumbers,
                                         .help = "one for each coordinate",
                                         .unit = "model",
                                         .fallback_note = "zero"},
                                        {.name = "velocity",
                                         .forms = kNumbers,
                                         .help = "one for each coordinate",
                                         .unit = "model",
                                         .fallback_note = "zero"}}};
  return table;
}

const TableSpec& sensors_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "sensor NAME", .table = &sensor_table()};
  static const TableSpec table{
      .path = "simulate.sensors",
      .help =
          "Simulated sensors, by names of your choice. `all` stands for one sensor at each "
          "coordinate, named y1, y2, ...; a sensor of that name given here replaces it. "
          "Without this table: the noise-free displacement of each coordinate.",
      .any_name = &any};
  return table;
}

std::vector<KeySpec> method_keys() {
  return {{.name = "method",
           .forms = kText,
           .help = "rule that advances the motion by one step",
           .choices = {"exact", "variational", "newmark", "gauss"},
           .fallback = "\"exact\""},
          {.name = "hold",
           .forms = kText,
           .help = "the input between samples, for the methods exact and gauss",
           .choices = {"zero", "linear", "cubic"},
           .fallback = "\"cubic\""},
          {.name = "newmark",
           .forms = kTable,
           .help = "parameters of method = \"newmark\"",
           .table = &newmark_table()},
          {.name = "stages",
           .forms = kInteger,
           .help = "of method = \"gauss\", whose order is 2 stages",
           .range = within(1.0, 3.0),
           .fallback = "2"},
          {.name = "start",
           .forms = kTable,
           .help = "state at the first sample",
           .fallback_note = "at rest",
           .table = &start_table()}};
}

std::vector<KeySpec> joined(std::vector<KeySpec> first, const std::vector<KeySpec>& second,
                            const std::vector<KeySpec>& third) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

std::vector<KeySpec> channel_tables() {
  return {
      {.name = "inputs",
       .forms = kTable,
       .help = "generated inputs",
       .table = &simulate_inputs_table()},
      {.name = "sensors", .forms = kTable, .help = "simulated sensors", .table = &sensors_table()}};
}

}  // namespace

const TableSpec& simulate_inputs_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "signal of the model input NAME",
                           .table = &input_table()};
  static const TableSpec table{
      .path = "simulate.inputs",
      .help =
          "Generated inputs: one table for each model input, by name. `all` holds for every "
          "input that is neither named here nor read from the data file. The others are zero.",
      .any_name = &any};
  return table;
}

std::vector<KeySpec> simulate_time_keys() {
  return {{.name = "step",
           .forms = kNumber,
           .help = "time between samples",
           .unit = "s",
           .range = above(0.0),
           .fallback_note = "that of the data file"},
          {.name = "samples",
           .forms = kInteger,
           .help = "number of samples",
           .range = within(2.0, 1e9),
           .fallback_note = "that of the data file"},
          {.name = "duration",
           .forms = kNumber,
           .help = "instead of samples: length of the record",
           .unit = "s",
           .range = above(0.0)}};
}

std::vector<KeySpec> simulate_count_keys() {
  return {{.name = "seed",
           .forms = kInteger,
           .help = "of all random numbers",
           .range = at_least(0.0),
           .fallback = "1",
           .tasks = {"simulate"}},
          {.name = "experiments",
           .forms = kInteger,
           .help = "repetitions, each with new random inputs and noise",
           .range = within(1.0, 100000.0),
           .fallback = "1"},
          {.name = "truth",
           .forms = kBoolean,
           .help = "also write the noise-free motion",
           .fallback = "true",
           .tasks = {"simulate"}}};
}

const TableSpec& simulate_table() {
  static const TableSpec table{
      .path = "simulate",
      .help = "The response to given or generated inputs, and what real sensors would record.",
      .keys = joined(joined(simulate_time_keys(), method_keys(), simulate_count_keys()),
                     channel_tables(), {}),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"samples", "duration"}}}};
  return table;
}

}  // namespace alembert::study
