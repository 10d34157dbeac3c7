#include "study/tasks/simulate/tables_equation_simulate.hpp"

#include "study/parts/data/tables_inputs.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

const TableSpec& known_parameters_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kNumber, .help = "value of the parameter NAME of the equations"};
  static const TableSpec table{.path = "simulate.parameters",
                               .help = "The values of the parameters.",
                               .any_name = &any,
                               .model = kForEquations};
  return table;
}

const TableSpec& equation_sensor_table() {
  static const TableSpec table = [] {
    TableSpec made{.path = "simulate.sensors.NAME",
                   .help =
                       "One sensor. Its errors act in this order: delay, own rate, bias, noise, "
                       "quantisation.",
                   .keys = {{.name = "measures",
                             .forms = kText,
                             .help = "a state, a derivative such as \"q'\", or a definition",
                             .fallback_note = "that of its name"},
                            {.name = "unit",
                             .forms = kText,
                             .help = "of the record, sigma, bias and range",
                             .fallback_note = "that of the model"}},
                   .rules = sensor_error_rules(),
                   .model = kForEquations};
    for (const KeySpec& key : sensor_error_keys().specs()) made.keys.push_back(key);
    return made;
  }();
  return table;
}

const TableSpec& equation_sensors_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "sensor NAME", .table = &equation_sensor_table()};
  static const TableSpec table{
      .path = "simulate.sensors",
      .help = "Simulated sensors, by names of your choice, for example q = { sigma = 0.01 }.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> equation_channel_tables() {
  return {{.name = "parameters",
           .forms = kTable,
           .help = "values of the parameters",
           .fallback_note = "none",
           .table = &known_parameters_table()},
          {.name = "inputs",
           .forms = kTable,
           .help = "generated inputs; those of a file are in [data.inputs]",
           .fallback_note = "none",
           .table = &simulate_inputs_table()},
          {.name = "sensors",
           .forms = kTable,
           .help = "simulated sensors",
           .required = true,
           .table = &equation_sensors_table()}};
}

}  // namespace

const TableSpec& equation_simulate_table() {
  static const TableSpec table = [] {
    TableSpec made{.path = "simulate",
                   .help = "The response of the equations, and what real sensors would record.",
                   .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"samples", "duration"}}},
                   .model = kForEquations};
    for (const std::vector<KeySpec>& part :
         {simulate_time_keys().specs(), simulation_keys(kSimulateSubsteps).specs(),
          simulate_count_keys().specs(), equation_channel_tables()}) {
      made.keys.insert(made.keys.end(), part.begin(), part.end());
    }
    return made;
  }();
  return table;
}

}  // namespace alembert::study
