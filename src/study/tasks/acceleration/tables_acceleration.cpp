#include "study/tasks/acceleration/tables_acceleration.hpp"

#include "alembert/identify/acceleration_regression.hpp"
#include "alembert/study/detail/keys.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

constexpr const char* kForAcceleration = "acceleration";

std::vector<KeySpec> motion_channel_keys() {
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
       .table = &data_inputs_table()},
      {.name = "from",
       .forms = kNumber,
       .help = "time of the first sample that is used, such as the release",
       .unit = "s",
       .fallback_note = "the first"},
      {.name = "to",
       .forms = kNumber,
       .help = "time of the last sample that is used",
       .unit = "s",
       .fallback_note = "the last"},
      {.name = "amplitude",
       .forms = kNumber,
       .help = "amplitude of the displacement at the beginning, if known: tells a wrong unit",
       .unit = "m",
       .range = above(0.0),
       .fallback_note = "not known"}};
}

const TableSpec& motion_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Records of one motion: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx. "
          "Several files are repetitions of the same test.",
      .keys = joined(data_file_keys(), motion_channel_keys()),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForAcceleration};
  return table;
}

const TableSpec& motion_model_table() {
  static const TableSpec table{
      .path = "model",
      .help =
          "The equation of motion as text, see equations.md. Every name that is known from nowhere "
          "else is a parameter to be found.",
      .keys = {{.name = "equations",
                .forms = kText,
                .help = "such as x'' + a*x' + b*x + c*x^3 = 0, and definitions, one a line",
                .required = true},
               {.name = "constants",
                .forms = kTable,
                .help = "known numbers",
                .fallback_note = "none",
                .table = equation_model_table().find("constants", nullptr)->table},
               {.name = "tables",
                .forms = kTable,
                .help = "curves from files, read as table(\"NAME\", x)",
                .fallback_note = "none",
                .table = equation_model_table().find("tables", nullptr)->table}},
      .model = kForAcceleration};
  return table;
}

const TableSpec& motion_parameter_table() {
  static const TableSpec table{
      .path = "identify.parameters.NAME",
      .help = "What is known of a parameter; a number alone is its guess.",
      .keys =
          {{.name = "guess",
            .forms = kNumber,
            .help = "where a parameter begins that does not enter linearly",
            .required = true},
           {.name = "lower", .forms = kNumber, .help = "smallest value", .fallback_note = "none"},
           {.name = "upper", .forms = kNumber, .help = "largest value", .fallback_note = "none"},
           {.name = "fixed", .forms = kBoolean, .help = "stays at the guess", .fallback = "false"}},
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
      .keys = {{.name = "file", .forms = kText, .help = "file, relative to the study"},
               {.name = "displacement",
                .forms = kText,
                .help = "its column with the displacement",
                .fallback = "\"x\""},
               {.name = "force",
                .forms = kText,
                .help = "its column with the force",
                .fallback = "\"F\""},
               {.name = "points",
                .forms = kRows,
                .help = "rows of displacement in m and force in N"},
               {.name = "mass",
                .forms = kNumber,
                .help = "moving mass, to turn force into the terms of the equation",
                .unit = "kg",
                .range = above(0.0),
                .fallback_note = "not known"}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "points"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"displacement", "file"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"force", "file"}}},
      .model = kForAcceleration};
  return table;
}

std::vector<KeySpec> regression_keys() {
  return {
      {.name = "method",
       .forms = kText,
       .help = "how the parameters are found",
       .choices = {"acceleration"},
       .required = true},
      {.name = "parameters",
       .forms = kTable,
       .help = "what is known of them",
       .fallback_note = "nothing",
       .table = &motion_parameters_table()},
      {.name = "window",
       .forms = kNumber,
       .help = "length of a window in cycles; 0 takes the record as a whole",
       .range = within(0.0, 1e4),
       .fallback = "2.0"},
      {.name = "shift",
       .forms = kNumber,
       .help = "from one window to the next, in cycles; below 0.5 little is gained",
       .range = within(1e-3, 1e4),
       .fallback = "0.5"},
      {.name = "cycle",
       .forms = kNumber,
       .help = "length of a cycle",
       .unit = "s",
       .range = above(0.0),
       .fallback_note = "from the data"},
      {.name = "spline",
       .forms = kText,
       .help = "through the acceleration; cubic above 20, quintic above 10 samples per cycle",
       .choices = all_names<identify::AccelerationSpline>(),
       .fallback = "\"cubic\""},
      {.name = "smoothing",
       .forms = kText | kNumber,
       .help = "automatic, never, always (cross-validation), or the parameter of the spline in "
               "s3; automatic: at 40 dB and below where every leaves samples out",
       .range = above(0.0),
       .fallback = "\"automatic\""},
      {.name = "every",
       .forms = kInteger,
       .help = "the equation is set up at every so many samples",
       .range = at_least(1.0),
       .fallback = "1"},
      {.name = "solution",
       .forms = kText,
       .help = "of the least squares with unknown start values; fixed-point as published",
       .choices = all_names<identify::RegressionMethod>(),
       .fallback = "\"variable-projection\""},
      {.name = "offset",
       .forms = kText,
       .help = "an unknown constant in the measured acceleration",
       .choices = all_names<identify::Choice>(),
       .fallback = "\"automatic\""},
      {.name = "drift",
       .forms = kBoolean,
       .help = "an unknown line in the measured acceleration; what means over cycles show of it is "
               "taken off first",
       .fallback = "false"}};
}

std::vector<KeySpec> comparison_keys() {
  return {{.name = "refine",
           .forms = kBoolean,
           .help = "output error on the acceleration, which has no bias, from the regression",
           .fallback = "true"},
          {.name = "engine",
           .forms = kText,
           .help = "how the equations are computed; both engines give the same numbers",
           .choices = {"automatic", "interpreter", "native"},
           .fallback = "\"automatic\""},
          {.name = "compare",
           .forms = kTable,
           .help = "other equations to compare with",
           .fallback_note = "none",
           .table = &compare_table()},
          {.name = "prediction-part",
           .forms = kNumber,
           .help = "part of the record that compared equations are fitted to before they predict "
                   "the rest",
           .range = within(0.05, 0.95),
           .fallback = "0.5"},
          {.name = "static",
           .forms = kTable,
           .help = "a static test for comparison",
           .fallback_note = "none",
           .table = &static_table()}};
}

const TableSpec& acceleration_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Stiffness, damping and nonlinearity of one degree of freedom from short "
          "records of acceleration, see acceleration.md.",
      .keys = joined(regression_keys(), comparison_keys()),
      .model = kForAcceleration};
  return table;
}

const TableSpec& motion_truth_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kNumber, .help = "true value of the parameter NAME"};
  static const TableSpec table{.path = "truth",
                               .help = "True values of a simulated record, to compare with.",
                               .any_name = &any,
                               .model = kForAcceleration};
  return table;
}

}  // namespace

const TableSpec& acceleration_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of one degree of freedom.",
                               .keys = {title_key(),
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &motion_data_table()},
                                        {.name = "model",
                                         .forms = kTable,
                                         .help = "what moves",
                                         .required = true,
                                         .table = &motion_model_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: parameters of the equation of motion",
                                         .required = true,
                                         .table = &acceleration_table()},
                                        {.name = "truth",
                                         .forms = kTable,
                                         .help = "true values of a simulated record",
                                         .fallback_note = "not known",
                                         .table = &motion_truth_table()}},
                               .model = kForAcceleration};
  return table;
}

}  // namespace alembert::study
