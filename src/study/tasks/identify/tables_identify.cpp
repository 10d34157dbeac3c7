#include "study/tasks/identify/tables_identify.hpp"

#include "study/parts/linear/tables_model.hpp"

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

std::vector<KeySpec> start_keys() {
  return {
      {.name = "method",
       .forms = kText,
       .help = "how the matrices are found",
       .choices = {"variational"},
       .fallback = "\"variational\""},
      {.name = "start",
       .forms = kText,
       .help = "first estimate, before the refinement",
       .choices = {"weak-form", "partial", "subspace", "published", "model"},
       .fallback_note =
           "weak-form with one kind of motion at all coordinates (partial if that leads nowhere), "
           "else partial"},
      {.name = "window",
       .forms = kNumber,
       .help = "length of the test functions of start = \"weak-form\"",
       .unit = "s",
       .range = above(0.0),
       .fallback_note = "the best of a grid"},
      {.name = "candidates",
       .forms = kInteger,
       .help = "at most so many attempts of start = \"partial\"",
       .range = within(1.0, 12.0),
       .fallback = "10"},
      {.name = "horizon",
       .forms = kInteger,
       .help = "block rows of the subspace step (subspace, published)",
       .range = within(2.0, 1000.0),
       .fallback_note = "1.25 periods of the fastest motion"},
      {.name = "weighting",
       .forms = kText,
       .help = "of the subspace step (subspace, published)",
       .choices = {"moesp", "cva", "n4sid"},
       .fallback = "\"moesp\""},
      {.name = "mass-scaling",
       .forms = kText,
       .help = "what fixes the mass in start = \"subspace\"",
       .choices = {"markov", "static-gain"},
       .fallback = "\"markov\""},
      {.name = "published-input",
       .forms = kText,
       .help = "input of the subspace step of start = \"published\"",
       .choices = {"discrete-force", "samples"},
       .fallback = "\"discrete-force\""}};
}

std::vector<KeySpec> refine_keys() {
  return {{.name = "refine",
           .forms = kText,
           .help = "time stepping of the refinement, or none",
           .choices = {"exact", "midpoint", "gauss", "none"},
           .fallback = "\"exact\""},
          {.name = "hold",
           .forms = kText,
           .help = "the forces between samples, but for refine = \"midpoint\"",
           .choices = {"zero", "linear", "cubic"},
           .fallback = "\"cubic\""},
          {.name = "stages",
           .forms = kInteger,
           .help = "of refine = \"gauss\", whose order is 2 stages",
           .range = within(1.0, 3.0),
           .fallback = "2"},
          {.name = "free-start",
           .forms = kBoolean,
           .help = "estimate the state at the first sample; false: at rest",
           .fallback = "true"},
          {.name = "max-iterations",
           .forms = kInteger,
           .help = "of the refinement",
           .range = within(1.0, 10000.0),
           .fallback = "200"},
          {.name = "tolerance",
           .forms = kNumber,
           .help = "relative decrease of the cost that ends the refinement",
           .range = within(1e-15, 1e-2),
           .fallback = "1e-9"},
          {.name = "compare",
           .forms = kTexts,
           .help = "other methods to run on the same data",
           .choices = {"weak-form", "rival", "published-start", "published", "grey-box", "exact",
                       "midpoint", "gauss"},
           .fallback_note = "none",
           .tasks = {"identify"}}};
}

std::vector<KeySpec> identify_keys() {
  std::vector<KeySpec> keys = start_keys();
  const std::vector<KeySpec> more = refine_keys();
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
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
      .keys = identify_keys()};
  return table;
}

}  // namespace alembert::study
