#include "study/schema/tables.hpp"

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
    for (const KeySpec& key : sensor_error_keys()) made.keys.push_back(key);
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

std::vector<KeySpec> equation_simulation_keys(const std::string& substeps) {
  return {{.name = "between",
           .forms = kText,
           .help = "the inputs between samples; band-limited takes each record for one period",
           .choices = {"held", "linear", "cubic", "band-limited"},
           .fallback = "\"held\""},
          {.name = "start",
           .forms = kText,
           .help = "first state: as [model.start] says, or the steady state of a periodic record",
           .choices = {"model", "periodic"},
           .fallback = "\"model\""},
          {.name = "integrator",
           .forms = kText,
           .help = "how the equations are integrated; see theory/output-error.md",
           .choices = {"runge-kutta", "newmark", "dormand-prince", "stiff"},
           .fallback = "\"runge-kutta\""},
          {.name = "relative-tolerance",
           .forms = kNumber,
           .help = "error of a step over the size of the states, for dormand-prince and stiff",
           .range = within(1e-13, 0.1),
           .fallback_note = "1e-8; stiff: 1e-10"},
          {.name = "absolute-tolerance",
           .forms = kNumber,
           .help = "error of a step below which the size of a state does not matter, the same",
           .range = above(0.0),
           .fallback_note = "1e-12"},
          {.name = "events",
           .forms = kBoolean,
           .help = "dormand-prince ends its steps at kinks of the equations",
           .fallback = "false"},
          {.name = "substeps",
           .forms = kInteger,
           .help = "steps per sample of runge-kutta and newmark",
           .range = within(1.0, 10000.0),
           .fallback = substeps},
          {.name = "engine",
           .forms = kText,
           .help = "how the equations are computed; both engines give the same numbers",
           .choices = {"automatic", "interpreter", "native"},
           .fallback = "\"automatic\""}};
}

const TableSpec& equation_simulate_table() {
  static const TableSpec table = [] {
    TableSpec made{.path = "simulate",
                   .help = "The response of the equations, and what real sensors would record.",
                   .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"samples", "duration"}}},
                   .model = kForEquations};
    for (const std::vector<KeySpec>& part : {simulate_time_keys(), equation_simulation_keys("20"),
                                             simulate_count_keys(), equation_channel_tables()}) {
      made.keys.insert(made.keys.end(), part.begin(), part.end());
    }
    return made;
  }();
  return table;
}

}  // namespace alembert::study
