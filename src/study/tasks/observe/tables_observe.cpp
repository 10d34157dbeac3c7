#include "study/tasks/observe/tables_observe.hpp"

#include "alembert/core/enum_names.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::study {
namespace {

KeySpec spread_key(const std::string& name, const std::string& help, const std::string& otherwise) {
  return {.name = name,
          .forms = kNumber,
          .help = help,
          .unit = "rad, m, s",
          .range = above(0.0),
          .fallback_note = "from the first readings, else " + otherwise};
}

const TableSpec& observe_start_table() {
  static const TableSpec table{
      .path = "observe.start",
      .help = "What is known of the motion at the first sample, one number for each coordinate.",
      .keys = {{.name = "coordinates",
                .forms = kNumbers,
                .help = "positions; the mechanism is assembled there",
                .unit = "rad or m",
                .fallback_note = "first readings of sensors that read the coordinates themselves"},
               {.name = "velocities",
                .forms = kNumbers,
                .help = "velocities",
                .unit = "rad/s or m/s",
                .fallback_note = "from the first readings, else 0"},
               {.name = "accelerations",
                .forms = kNumbers,
                .help = "accelerations",
                .unit = "rad/s^2 or m/s^2",
                .fallback_note = "from the first readings, else 0"},
               spread_key("coordinate-sigma", "standard deviation of the positions", "0.01"),
               spread_key("velocity-sigma", "of the velocities", "1.0"),
               spread_key("acceleration-sigma", "of the accelerations", "10.0"),
               {.name = "jerk-sigma",
                .forms = kNumber,
                .help = "of the jerks, which are zero (white-snap)",
                .unit = "rad, m, s",
                .range = above(0.0),
                .fallback = "100.0"}}};
  return table;
}

KeySpec walk_key(const std::string& unit) {
  return {.name = "walk",
          .forms = kNumber,
          .help = "density of their random walk; 0: constant",
          .unit = unit,
          .range = at_least(0.0),
          .fallback = "0.0"};
}

const TableSpec& lengths_table() {
  static const TableSpec table{
      .path = "observe.lengths",
      .help = "The errors of all lengths of [mechanism.parameters] are states (form = \"output\").",
      .keys = {{.name = "sigma",
                .forms = kNumber | kNumbers,
                .help = "standard deviation of the errors beforehand, of all or each",
                .unit = "m",
                .range = above(0.0),
                .required = true},
               walk_key("m^2/s")}};
  return table;
}

const TableSpec& biases_table() {
  static const TableSpec table{
      .path = "observe.biases",
      .help = "Biases of sensors are states (form = \"output\").",
      .keys = {{.name = "sensors", .forms = kTexts, .help = "which sensors", .required = true},
               {.name = "sigma",
                .forms = kNumber | kNumbers,
                .help = "standard deviation of the biases beforehand, of all or each",
                .unit = "rad, m, s",
                .range = above(0.0),
                .required = true},
               walk_key("square of that a second")}};
  return table;
}

const TableSpec& switch_table() {
  static const TableSpec table{
      .path = "observe.switch",
      .help =
          "Near singular positions the input form walks at random (form = \"input\"): where "
          "det S'S of the input sensors is at or below the threshold.",
      .keys = {{.name = "threshold",
                .forms = kNumber,
                .help = "of det S'S, S = derivative of the input sensors by the coordinates",
                .range = above(0.0),
                .required = true},
               {.name = "release",
                .forms = kNumber,
                .help = "it ends above release x threshold",
                .range = at_least(1.0),
                .fallback = "1.0"},
               {.name = "look-ahead",
                .forms = kNumber,
                .help = "it begins so long before the threshold is reached",
                .unit = "s",
                .range = at_least(0.0),
                .fallback = "0.0"},
               {.name = "noise",
                .forms = kNumbers,
                .help = "variance that a step of the walk adds to positions, velocities, "
                        "accelerations",
                .range = at_least(0.0),
                .size = 3,
                .fallback_note = "[1e-12, 1e-4, 1.0]"}}};
  return table;
}

const TableSpec& adapt_table() {
  static const TableSpec table{
      .path = "observe.adapt",
      .help =
          "Noise levels that change on the way are followed, on a window: the density or the "
          "sensors.",
      .keys = {{.name = "window",
                .forms = kInteger,
                .help = "samples that are averaged",
                .range = within(2.0, 1e6),
                .required = true},
               {.name = "density",
                .forms = kBoolean,
                .help = "one factor of the densities of the motion (form = \"output\")",
                .fallback_note = "true in the output form without sensors"},
               {.name = "sensors",
                .forms = kBoolean,
                .help = "sigma of each sensor that corrects the estimate, in place of the density",
                .fallback = "false"}}};
  return table;
}

const TableSpec& gate_table() {
  static const TableSpec table{
      .path = "observe.gate",
      .help = "Readings that are too far from what is expected are left out.",
      .keys = {{.name = "probability",
                .forms = kNumber,
                .help = "that a good reading passes",
                .range = within(0.5, 1.0),
                .required = true},
               {.name = "each-sensor",
                .forms = kBoolean,
                .help = "judge each sensor alone, not all of a sample together",
                .fallback = "true"}}};
  return table;
}

const TableSpec& workspace_table() {
  static const TableSpec table{
      .path = "observe.workspace",
      .help = "Where the sensors are examined: a grid between two corners.",
      .keys = {{.name = "lower",
                .forms = kNumbers,
                .help = "least coordinates",
                .unit = "rad or m",
                .required = true},
               {.name = "upper",
                .forms = kNumbers,
                .help = "largest coordinates",
                .unit = "rad or m",
                .required = true},
               {.name = "points",
                .forms = kInteger,
                .help = "places along each coordinate; 1e5 at most in all",
                .range = within(2.0, 10000.0),
                .fallback_note = "37, fewer with more coordinates"}}};
  return table;
}

std::vector<KeySpec> observer_keys() {
  return {{.name = "method",
           .forms = kText,
           .help = "kinematic: positions and sensors alone, no masses, no forces",
           .choices = {"kinematic"},
           .fallback = "\"kinematic\""},
          {.name = "form",
           .forms = kText,
           .help = "output: all sensors correct a smooth motion; input: accelerometers or "
                   "gyroscopes drive it",
           .choices = all_names<estimate::ObserverForm>(),
           .fallback = "\"output\""},
          {.name = "filter",
           .forms = kText,
           .help = "the estimator; they differ little here, ekf is the fastest",
           .choices = all_names<estimate::ObserverFilter>(),
           .fallback = "\"ekf\""},
          {.name = "central-weight",
           .forms = kNumber,
           .help = "weight of the middle point (simplex, square-root-simplex)",
           .range = within(0.0, 0.99),
           .fallback_note = "1/3"},
          {.name = "smooth",
           .forms = kBoolean,
           .help = "estimate from the whole record too, not only from the past",
           .fallback = "false"},
          {.name = "start",
           .forms = kTable,
           .help = "what is known at the first sample",
           .fallback_note = "from the first readings",
           .table = &observe_start_table()}};
}

std::vector<KeySpec> output_form_keys() {
  return {
      {.name = "motion",
       .forms = kText,
       .help = "what is white noise between samples (form = \"output\")",
       .choices = all_names<estimate::MotionModel>(),
       .fallback = "\"white-jerk\""},
      {.name = "density",
       .forms = kNumber | kNumbers,
       .help = "of the jerk or snap, for all coordinates or each: about square of its size times "
               "the time in which it changes (form = \"output\")",
       .unit = "unit^2/s^5 or unit^2/s^7",
       .range = above(0.0),
       .fallback_note = "what fits the readings best; a stream needs it"},
      {.name = "fit-sigma",
       .forms = kTexts,
       .help = "sensors whose sigma is a guess, to be found from the readings (form = \"output\")",
       .fallback_note = "none"},
      {.name = "lengths",
       .forms = kTable,
       .help = "estimate errors of lengths",
       .fallback_note = "no",
       .table = &lengths_table()},
      {.name = "biases",
       .forms = kTable,
       .help = "estimate biases of sensors",
       .fallback_note = "no",
       .table = &biases_table()}};
}

std::vector<KeySpec> input_form_keys() {
  return {{.name = "inputs",
           .forms = kTexts,
           .help = "sensors that drive the model (form = \"input\")",
           .fallback_note = "all accelerometers, else all rates"},
          {.name = "discretisation",
           .forms = kText,
           .help = "one-step method (form = \"input\")",
           .choices = all_names<estimate::Discretisation>(),
           .fallback = "\"euler\""},
          {.name = "scheme",
           .forms = kText,
           .help = "how accelerations become states (form = \"input\", accelerometers)",
           .choices = all_names<estimate::AccelerationScheme>(),
           .fallback = "\"constraint\""},
          {.name = "gamma",
           .forms = kNumber,
           .help = "of the newmark schemes",
           .range = at_least(1.0),
           .fallback = "1.0"},
          {.name = "noise",
           .forms = kNumbers,
           .help = "variance that a step adds to positions, velocities, accelerations (form = "
                   "\"input\")",
           .range = at_least(0.0),
           .size = 3,
           .fallback_note = "[1e-12, 1e-6, 0.1]"},
          {.name = "noise-from-inputs",
           .forms = kBoolean,
           .help = "add to these what the sigma of the input sensors does in a step (form = "
                   "\"input\")",
           .fallback = "false"},
          {.name = "switch",
           .forms = kTable,
           .help = "random walk near singular positions",
           .fallback_note = "none",
           .table = &switch_table()}};
}

std::vector<KeySpec> judgement_keys() {
  return {{.name = "gate",
           .forms = kTable,
           .help = "leave outliers out",
           .fallback_note = "none",
           .table = &gate_table()},
          {.name = "adapt",
           .forms = kTable,
           .help = "follow noise levels that change",
           .fallback_note = "no",
           .table = &adapt_table()},
          {.name = "scored-from",
           .forms = kNumber,
           .help = "time after the first sample from which consistency is judged",
           .unit = "s",
           .range = at_least(0.0),
           .fallback_note = "when the standard deviations have settled"},
          {.name = "workspace",
           .forms = kTable,
           .help = "where the sensors are examined",
           .fallback_note = "where the estimate has been",
           .table = &workspace_table()}};
}

}  // namespace

const TableSpec& observe_table() {
  static const TableSpec table = [] {
    TableSpec made{
        .path = "observe",
        .help =
            "Motion of a mechanism from its sensors, with standard deviations, see observe.md."};
    for (const auto& keys :
         {observer_keys(), output_form_keys(), input_form_keys(), judgement_keys()}) {
      made.keys.insert(made.keys.end(), keys.begin(), keys.end());
    }
    return made;
  }();
  return table;
}

}  // namespace alembert::study
