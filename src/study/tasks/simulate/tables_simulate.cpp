#include "study/tasks/simulate/tables_simulate.hpp"

#include "study/parts/data/tables_inputs.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using integrate::LinearSimulationOptions;
using integrate::Method;

const TableSpec& newmark_table() {
  static const TableSpec table{
      .path = "simulate.newmark",
      .help =
          "Parameters of method = \"newmark\". The defaults are the constant average "
          "acceleration rule: second order, stable for any step.",
      .keys = newmark_keys().specs()};
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

std::vector<KeySpec> channel_tables() {
  return {
      {.name = "inputs",
       .forms = kTable,
       .help = "generated inputs",
       .table = &simulate_inputs_table()},
      {.name = "sensors", .forms = kTable, .help = "simulated sensors", .table = &sensors_table()}};
}

bool holds(const LinearSimulationOptions& options) { return integrate::uses_hold(options.method); }

auto is(Method method) {
  return [method](const LinearSimulationOptions& options) { return options.method == method; };
}

std::string unused(const std::string& methods) {
  return "has no effect with method = \"{method}\"; it is for " + methods;
}

}  // namespace

const BoundKeys<LinearSimulationOptions>& newmark_keys() {
  static const auto keys = BoundKeys<LinearSimulationOptions>()
                               .key("beta", &LinearSimulationOptions::newmark_beta,
                                    {.help = "weight of the new acceleration in the displacement",
                                     .range = within(0.0, 1.0)})
                               .key("gamma", &LinearSimulationOptions::newmark_gamma,
                                    {.help = "weight of the new acceleration in the velocity",
                                     .range = within(0.0, 1.0)});
  return keys;
}

const BoundKeys<LinearSimulationOptions>& method_keys() {
  static const auto keys =
      BoundKeys<LinearSimulationOptions>()
          .key("method", &LinearSimulationOptions::method,
               {.help = "rule that advances the motion by one step"})
          .choice("hold", &LinearSimulationOptions::hold, integrate::hold_names(),
                  {.help = "the input between samples, for the methods exact and gauss"})
          .used_when(holds, unused("exact and gauss"))
          .other({.name = "newmark",
                  .forms = kTable,
                  .help = "parameters of method = \"newmark\"",
                  .table = &newmark_table()})
          .used_when(is(Method::Newmark), unused("newmark"))
          .key(
              "stages", &LinearSimulationOptions::gauss_stages,
              {.help = "of method = \"gauss\", whose order is 2 stages", .range = within(1.0, 3.0)})
          .used_when(is(Method::Gauss), unused("gauss"))
          .other({.name = "start",
                  .forms = kTable,
                  .help = "state at the first sample",
                  .fallback_note = "at rest",
                  .table = &start_table()});
  return keys;
}

const BoundKeys<SimulateStudy>& simulate_time_keys() {
  static const auto keys = BoundKeys<SimulateStudy>()
                               .key("step", &SimulateStudy::step,
                                    {.help = "time between samples",
                                     .unit = "s",
                                     .range = above(0.0),
                                     .fallback_note = "that of the data file"})
                               .key("samples", &SimulateStudy::samples,
                                    {.help = "number of samples",
                                     .range = within(2.0, 1e9),
                                     .fallback_note = "that of the data file"})
                               .other({.name = "duration",
                                       .forms = kNumber,
                                       .help = "instead of samples: length of the record",
                                       .unit = "s",
                                       .range = above(0.0)});
  return keys;
}

const BoundKeys<SimulateStudy>& simulate_count_keys() {
  static const auto keys =
      BoundKeys<SimulateStudy>()
          .key("seed", &SimulateStudy::seed,
               {.help = "of all random numbers", .range = at_least(0.0), .tasks = {"simulate"}})
          .key("experiments", &SimulateStudy::experiments,
               {.help = "repetitions, each with new random inputs and noise",
                .range = within(1.0, 100000.0)})
          .key("truth", &SimulateStudy::write_truth,
               {.help = "also write the noise-free motion", .tasks = {"simulate"}});
  return keys;
}

const TableSpec& simulate_table() {
  static const TableSpec table{
      .path = "simulate",
      .help = "The response to given or generated inputs, and what real sensors would record.",
      .keys = joined(joined(joined(simulate_time_keys().specs(), method_keys().specs()),
                            simulate_count_keys().specs()),
                     channel_tables()),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"samples", "duration"}}}};
  return table;
}

}  // namespace alembert::study
