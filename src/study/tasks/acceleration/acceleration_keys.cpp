#include "study/tasks/acceleration/acceleration_keys.hpp"

#include <fmt/format.h>

#include "study/parts/data/tables_data.hpp"

namespace alembert::study {
namespace {

using identify::AccelerationOptions;
using identify::EquationRefineOptions;
using identify::ReconstructionOptions;
using identify::RegressionOptions;
using identify::RegressionWindows;
using identify::StaticTest;
using identify::WindowFitOptions;
using optimize::Parameter;

std::vector<KeySpec> motion_column_keys() {
  return {
      {.name = "acceleration",
       .forms = kText,
       .help = "column with the acceleration; converted to m/s2 where the file names a unit",
       .required = true},
      {.name = "velocity",
       .forms = kText,
       .help = "column with a measured velocity, used in place of the integrated one",
       .fallback_note = "none"},
      {.name = "displacement",
       .forms = kText,
       .help = "column with a measured displacement, used in place of the integrated one",
       .fallback_note = "none"},
      {.name = "unit",
       .forms = kText,
       .help = "of the acceleration, where the file names none or a wrong one; \"g\" is gravity",
       .fallback_note = "that of the file, else m/s2"},
      {.name = "inputs",
       .forms = kTexts | kTable,
       .help = "known force of the equation = column of the file, or a list of columns",
       .fallback_note = "none: free vibration",
       .table = &data_inputs_table()}};
}

const TableSpec& motion_parameter_table() {
  static const TableSpec table{.path = "identify.parameters.NAME",
                               .help = "What is known of a parameter; a number alone is its guess.",
                               .keys = motion_parameter_keys().specs(),
                               .model = kForAcceleration};
  return table;
}

const TableSpec& motion_parameters_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kNumber | kTable,
                           .help = "parameter NAME of the equation",
                           .table = &motion_parameter_table()};
  static const TableSpec table{
      .path = "identify.parameters",
      .help =
          "Guesses, needed for parameters that do not enter linearly, and parameters to be held.",
      .any_name = &any,
      .model = kForAcceleration};
  return table;
}

const TableSpec& compare_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kText, .help = "another equation of motion, called NAME"};
  static const TableSpec table{
      .path = "identify.compare",
      .help =
          "Other equations to compare with, for example linear = \"x'' + a*x' + b*x = 0\": by "
          "information criterion, and by prediction of the part of the record that was not fitted.",
      .any_name = &any,
      .model = kForAcceleration};
  return table;
}

const TableSpec& static_table() {
  static const TableSpec table{
      .path = "identify.static",
      .help = "A static test for comparison: force over displacement.",
      .keys = static_test_keys().specs(),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "points"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"displacement", "file"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"force", "file"}}},
      .model = kForAcceleration};
  return table;
}

template <typename... Members>
auto regression_field(Members... members) {
  return field_of(&AccelerationOptions::regression, members...);
}

void add_known_keys(BoundKeys<AccelerationOptions>& keys) {
  keys.other({.name = "method",
              .forms = kText,
              .help = "how the parameters are found",
              .choices = {"acceleration"},
              .required = true})
      .other({.name = "parameters",
              .forms = kTable,
              .help = "what is known of them",
              .fallback_note = "nothing",
              .table = &motion_parameters_table()});
}

void add_window_keys(BoundKeys<AccelerationOptions>& keys) {
  keys.key("window", regression_field(&RegressionOptions::windows, &RegressionWindows::length),
           {.help = "length of a window in cycles; 0 takes the record as a whole",
            .range = within(0.0, 1e4)})
      .key("shift", regression_field(&RegressionOptions::windows, &RegressionWindows::shift),
           {.help = "from one window to the next, in cycles; below 0.5 little is gained",
            .range = within(1e-3, 1e4)});
}

void add_reconstruction_keys(BoundKeys<AccelerationOptions>& keys) {
  const auto field = [](auto member) {
    return regression_field(&RegressionOptions::reconstruction, member);
  };
  keys.key("cycle", field(&ReconstructionOptions::cycle),
           {.help = "length of a cycle",
            .unit = "s",
            .range = above(0.0),
            .fallback_note = "from the data"})
      .key("spline", field(&ReconstructionOptions::spline),
           {.help = "through the acceleration; cubic above 20, quintic above 10 samples per cycle"})
      // A choice, or a number that is a choice and a parameter.
      .other({.name = "smoothing",
              .forms = kText | kNumber,
              .help = "automatic, never, always (cross-validation), or the parameter of the spline "
                      "in s3; automatic: at 40 dB and below where every leaves samples out",
              .range = above(0.0),
              .fallback = fmt::format("\"{}\"", name_of(ReconstructionOptions{}.smoothing))})
      .key("every", field(&ReconstructionOptions::every),
           {.help = "the equation is set up at every so many samples", .range = at_least(1.0)});
}

void add_solution_keys(BoundKeys<AccelerationOptions>& keys) {
  const auto field = [](auto member) { return regression_field(&RegressionOptions::fit, member); };
  keys.key("solution", field(&WindowFitOptions::method),
           {.help = "of the least squares with unknown start values; fixed-point as published",
            .argument = "method"})
      .key("offset", field(&WindowFitOptions::offset),
           {.help = "an unknown constant in the measured acceleration"})
      .key("drift", field(&WindowFitOptions::drift),
           {.help = "an unknown line in the measured acceleration; what means over cycles show of "
                    "it is taken off first"});
}

void add_comparison_keys(BoundKeys<AccelerationOptions>& keys) {
  keys.key("refine", &AccelerationOptions::refine,
           {.help = "output error on the acceleration, which has no bias, from the regression"})
      .key("engine", field_of(&AccelerationOptions::refinement, &EquationRefineOptions::engine),
           {.help = "how the equations are computed; both engines give the same numbers"})
      .other({.name = "compare",
              .forms = kTable,
              .help = "other equations to compare with",
              .fallback_note = "none",
              .table = &compare_table()})
      .key("prediction-part", &AccelerationOptions::prediction_part,
           {.help = "part of the record that compared equations are fitted to before they predict "
                    "the rest",
            .range = within(0.05, 0.95)})
      .other({.name = "static",
              .forms = kTable,
              .help = "a static test for comparison",
              .fallback_note = "none",
              .table = &static_table()});
}

}  // namespace

const BoundKeys<AccelerationOptions>& acceleration_keys() {
  static const BoundKeys<AccelerationOptions> keys = [] {
    BoundKeys<AccelerationOptions> list;
    add_known_keys(list);
    add_window_keys(list);
    add_reconstruction_keys(list);
    add_solution_keys(list);
    add_comparison_keys(list);
    return list;
  }();
  return keys;
}

const BoundKeys<Parameter>& motion_parameter_keys() {
  static const auto keys =
      BoundKeys<Parameter>()
          .key("guess", &Parameter::guess,
               {.help = "where a parameter begins that does not enter linearly", .required = true})
          .key("lower", &Parameter::lower, {.help = "smallest value", .fallback_note = "none"})
          .key("upper", &Parameter::upper, {.help = "largest value", .fallback_note = "none"})
          .key("fixed", &Parameter::fixed, {.help = "stays at the guess"});
  return keys;
}

const BoundKeys<StaticTest>& static_test_keys() {
  static const auto keys =
      BoundKeys<StaticTest>()
          .other({.name = "file", .forms = kText, .help = "file, relative to the study"})
          .other({.name = "displacement",
                  .forms = kText,
                  .help = "its column with the displacement",
                  .fallback = "\"x\""})
          .other({.name = "force",
                  .forms = kText,
                  .help = "its column with the force",
                  .fallback = "\"F\""})
          .other({.name = "points",
                  .forms = kRows,
                  .help = "rows of displacement in m and force in N"})
          .key("mass", &StaticTest::mass,
               {.help = "moving mass, to turn force into the terms of the equation",
                .unit = "kg",
                .range = above(0.0),
                .fallback_note = "not known"});
  return keys;
}

const BoundKeys<AccelerationOptions>& motion_channel_keys() {
  static const auto keys =
      BoundKeys<AccelerationOptions>()
          .others(motion_column_keys())
          .key("amplitude", &AccelerationOptions::amplitude,
               {.help = "amplitude of the displacement at the beginning, if known: tells a wrong "
                        "unit",
                .unit = "m",
                .range = above(0.0),
                .fallback_note = "not known"});
  return keys;
}

}  // namespace alembert::study
