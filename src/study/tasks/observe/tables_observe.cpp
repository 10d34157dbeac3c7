#include "study/tasks/observe/tables_observe.hpp"

namespace alembert::study {
namespace {

using estimate::AccelerationScheme;
using estimate::InputFormNoise;
using estimate::InputFormOptions;
using estimate::ObserveOptions;
using estimate::ObserverForm;
using estimate::OutputFormNoise;
using estimate::OutputFormOptions;

const TableSpec& observe_start_table() {
  static const TableSpec table{
      .path = "observe.start",
      .help = "What is known of the motion at the first sample, one number for each coordinate.",
      .keys = observe_start_keys().specs()};
  return table;
}

const TableSpec& lengths_table() {
  static const TableSpec table{
      .path = "observe.lengths",
      .help = "The errors of all lengths of [mechanism.parameters] are states (form = \"output\").",
      .keys = observe_length_keys().specs()};
  return table;
}

const TableSpec& biases_table() {
  static const TableSpec table{.path = "observe.biases",
                               .help = "Biases of sensors are states (form = \"output\").",
                               .keys = observe_bias_keys().specs()};
  return table;
}

const TableSpec& observe_forces_table() {
  static const TableSpec table{
      .path = "observe.forces",
      .help = "How the unknown forces of [mechanism.forces] move (method = \"force\").",
      .keys = observe_force_keys().specs()};
  return table;
}

const TableSpec& stages_table() {
  static const TableSpec table{
      .path = "observe.stages",
      .help =
          "The two stages of form = \"two-stage\": the motion without forces, then the forces "
          "along it.",
      .keys = observe_stage_keys().specs()};
  return table;
}

const TableSpec& switch_table() {
  static const TableSpec table{
      .path = "observe.switch",
      .help =
          "Near singular positions the input form walks at random (form = \"input\"): where "
          "det S'S of the input sensors is at or below the threshold.",
      .keys = observe_switch_keys().specs()};
  return table;
}

const TableSpec& adapt_table() {
  static const TableSpec table{
      .path = "observe.adapt",
      .help =
          "Noise levels that change on the way are followed, on a window: the density or the "
          "sensors.",
      .keys = observe_adapt_keys().specs()};
  return table;
}

const TableSpec& gate_table() {
  static const TableSpec table{
      .path = "observe.gate",
      .help = "Readings that are too far from what is expected are left out.",
      .keys = observe_gate_keys().specs()};
  return table;
}

const TableSpec& watch_table() {
  static const TableSpec one{.path = "observe.watch.NAME",
                             .help =
                                 "A state against limits, or the innovations of a sensor: an alarm "
                                 "where they leave what noise explains.",
                             .keys = observe_watch_keys().specs()};
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "the alarm NAME", .table = &one};
  static const TableSpec table{.path = "observe.watch",
                               .help = "Alarms with a stated rate of false ones, also in streams.",
                               .any_name = &any};
  return table;
}

const TableSpec& workspace_table() {
  static const TableSpec table{
      .path = "observe.workspace",
      .help = "Where the sensors are examined: a grid between two corners.",
      .keys = observe_workspace_keys().specs()};
  return table;
}

KeySpec observe_part(const std::string& name, const TableSpec& table, const std::string& help,
                     const std::string& otherwise) {
  return {.name = name, .forms = kTable, .help = help, .fallback_note = otherwise, .table = &table};
}

bool has_simplex(const ObserveOptions& options) {
  return options.filter.rule == estimate::FilterRule::Simplex;
}

bool has_newmark(const ObserveOptions& options) {
  return options.input.scheme == AccelerationScheme::Newmark ||
         options.input.scheme == AccelerationScheme::NewmarkConstraint;
}

void add_observer_keys(ObserveKeys& keys) {
  keys.other({.name = "method",
              .forms = kText,
              .help = "kinematic: positions and sensors alone; force: unknown forces too, from "
                      "masses and measured forces (not in the input form)",
              .choices = {"kinematic", "force"},
              .fallback = "\"kinematic\""})
      .key("form", &ObserveOptions::form,
           {.help = "output: all sensors correct a smooth motion; input: accelerometers or "
                    "gyroscopes drive it; dynamic: measured forces drive its masses; two-stage: "
                    "the motion alone, then the forces along it (both method = \"force\")"})
      .key("filter", &ObserveOptions::filter,
           {.help = "the estimator; they differ little here, ekf is the fastest"})
      .key("central-weight", &ObserveOptions::central_weight,
           {.help = "weight of the middle point (simplex, square-root-simplex)",
            .range = within(0.0, 0.99),
            .fallback_note = "1/3"})
      .used_when(has_simplex, "has no place without a simplex filter")
      .key("smooth", &ObserveOptions::smooth,
           {.help = "estimate from the whole record too, not only from the past"})
      .other(observe_part("start", observe_start_table(), "what is known at the first sample",
                          "from the first readings"));
}

bool motion_by_outputs(const ObserveOptions& options) {
  return options.form != ObserverForm::TwoStage || options.stages.motion == ObserverForm::Output;
}

bool motion_by_inputs(const ObserveOptions& options) {
  return options.form != ObserverForm::TwoStage || options.stages.motion == ObserverForm::Input;
}

constexpr const char* kNotByInputs = "has no place with observe.stages.motion = \"input\"";
constexpr const char* kNotByOutputs = "has no place with observe.stages.motion = \"output\"";

void add_output_form_keys(ObserveKeys& keys) {
  const std::vector<std::string> output = {"output", "two-stage"};
  const std::vector<std::string> estimating = {"output", "dynamic", "two-stage"};
  keys.key(
          "motion", field_of(&ObserveOptions::output, &OutputFormOptions::motion),
          {.help = "what is white noise between samples (form = \"output\")",
           .fallback_note = "the one that fits the readings better; \"white-jerk\" with a density"})
      .used_when("form", output)
      .used_when(motion_by_outputs, kNotByInputs)
      .key("density", field_of(&ObserveOptions::output_noise, &OutputFormNoise::density),
           {.help = "of the jerk or snap, for all coordinates or each: about square of its size "
                    "times the time in which it changes (form = \"output\")",
            .unit = "unit^2/s^5 or unit^2/s^7",
            .range = above(0.0),
            .forms = kNumber | kNumbers,
            .fallback_note = "what fits the readings best; a stream needs it"})
      .used_when("form", output)
      .used_when(motion_by_outputs, kNotByInputs)
      .other({.name = "fit-sigma",
              .forms = kTexts,
              .help = "sensors whose sigma is a guess, to be found from the readings (not in "
                      "the input form)",
              .fallback_note = "none"})
      .used_when("form", estimating)
      .used_when(motion_by_outputs, kNotByInputs)
      .other(observe_part("lengths", lengths_table(), "estimate errors of lengths", "no"))
      .used_when("form", estimating)
      .used_when(motion_by_outputs, kNotByInputs)
      .other(observe_part("forces", observe_forces_table(),
                          "how unknown forces move (method = \"force\")", "random walks"))
      .used_when("form", estimating)
      .other(observe_part("biases", biases_table(), "estimate biases of sensors", "no"))
      .used_when("form", estimating)
      .used_when(motion_by_outputs, kNotByInputs)
      .other(observe_part("stages", stages_table(), "the two stages (form = \"two-stage\")",
                          "motion by outputs, direction by conditioning"))
      .used_when("form", {"two-stage"});
}

void add_input_form_keys(ObserveKeys& keys) {
  const std::vector<std::string> input = {"input", "two-stage"};
  const std::vector<std::string> driven = {"input", "dynamic", "two-stage"};
  keys.other({.name = "inputs",
              .forms = kTexts,
              .help = "sensors that drive the model (form = \"input\")",
              .fallback_note = "all accelerometers, else all rates"})
      .used_when("form", input)
      .used_when(motion_by_inputs, kNotByOutputs)
      .key("discretisation", field_of(&ObserveOptions::input, &InputFormOptions::discretisation),
           {.help = "one-step method (form = \"input\")"})
      .used_when("form", input)
      .used_when(motion_by_inputs, kNotByOutputs)
      .key("scheme", field_of(&ObserveOptions::input, &InputFormOptions::scheme),
           {.help = "how accelerations become states (form = \"input\", accelerometers)"})
      .used_when("form", input)
      .used_when(motion_by_inputs, kNotByOutputs)
      .key("gamma", field_of(&ObserveOptions::input, &InputFormOptions::gamma),
           {.help = "of the newmark schemes", .range = at_least(1.0)})
      .used_when("form", input)
      .used_when(
          [](const ObserveOptions& options) {
            return motion_by_inputs(options) && has_newmark(options);
          },
          "has no place without a newmark scheme")
      .key("noise", field_of(&ObserveOptions::input_noise, &InputFormNoise::kinematic),
           {.help = "variance that a step adds to positions, velocities, accelerations (form = "
                    "\"input\", \"dynamic\")",
            .range = at_least(0.0),
            .size = 3,
            .fallback_note = "[1e-12, 1e-6, 0.1]"})
      .used_when("form", driven)
      .used_when(motion_by_inputs, kNotByOutputs)
      .key("noise-from-inputs",
           field_of(&ObserveOptions::input_noise, &InputFormNoise::from_inputs),
           {.help = "add to these what the sigma of the input sensors does in a step (form = "
                    "\"input\", \"dynamic\")"})
      .used_when("form", driven)
      .used_when(motion_by_inputs, kNotByOutputs)
      .other(observe_part("switch", switch_table(), "random walk near singular positions", "none"))
      .used_when("form", input)
      .used_when(motion_by_inputs, kNotByOutputs);
}

void add_judgement_keys(ObserveKeys& keys) {
  keys.other(observe_part("gate", gate_table(), "leave outliers out", "none"))
      .key("jitter", &ObserveOptions::jitter,
           {.help = "standard deviation of the time stamps: fast readings then count less",
            .unit = "s",
            .range = at_least(0.0)})
      .key("covariances", &ObserveOptions::keep_covariances,
           {.help = "write the covariances of the states into estimates.csv"})
      .other(observe_part("adapt", adapt_table(), "follow noise levels that change", "no"))
      .key("scored-from", &ObserveOptions::scored_from,
           {.help = "time after the first sample from which consistency is judged",
            .unit = "s",
            .range = at_least(0.0),
            .fallback_note = "when the standard deviations have settled"})
      .other(observe_part("watch", watch_table(), "alarms on states and innovations", "none"))
      .other(observe_part("workspace", workspace_table(), "where the sensors are examined",
                          "where the estimate has been"));
}

}  // namespace

const ObserveKeys& observe_keys() {
  static const ObserveKeys keys = [] {
    ObserveKeys list;
    add_observer_keys(list);
    add_output_form_keys(list);
    add_input_form_keys(list);
    add_judgement_keys(list);
    return list;
  }();
  return keys;
}

const TableSpec& observe_table() {
  static const TableSpec table{
      .path = "observe",
      .help = "Motion of a mechanism from its sensors, with standard deviations, see observe.md.",
      .keys = observe_keys().specs()};
  return table;
}

}  // namespace alembert::study
