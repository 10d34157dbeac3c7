#include "study/tables.hpp"

namespace alembert::study {
namespace {

const char* const kForEquations = "equations";

const TableSpec& equation_outputs_table() {
  static const KeySpec column{
      .name = "NAME", .forms = kText, .help = "column of the file with the model's output NAME"};
  static const TableSpec table{
      .path = "data.outputs",
      .help = "Measured outputs: names of definitions or states of the equations.",
      .any_name = &column,
      .model = kForEquations};
  return table;
}

const TableSpec& equation_validation_table() {
  static const TableSpec table{
      .path = "data.validation",
      .help =
          "Data that are held back: they take no part in the identification, and show how well "
          "the model simulates what it has not seen, from the start values of the model.",
      .keys = {{.name = "file",
                .forms = kText,
                .help = "a further file",
                .fallback_note = "that of [data]"},
               {.name = "files", .forms = kTexts, .help = "several further files"},
               {.name = "inputs",
                .forms = kTexts | kTable,
                .help = "the columns of the inputs",
                .fallback_note = "those of [data]",
                .table = &data_inputs_table()},
               {.name = "outputs",
                .forms = kTexts | kTable,
                .help = "the columns of the outputs",
                .fallback_note = "those of [data]",
                .table = &equation_outputs_table()}},
      .rules = {{.kind = KeyRule::Kind::AtLeastOne, .keys = {"file", "files", "inputs", "outputs"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"file", "files"}}},
      .model = kForEquations};
  return table;
}

const TableSpec& equation_data_table() {
  static const TableSpec table{
      .path = "data",
      .help = "Measured signals: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx.",
      .keys = {{.name = "file", .forms = kText, .help = "file, relative to the study"},
               {.name = "files",
                .forms = kTexts,
                .help = "several files with the same columns, one experiment each"},
               {.name = "time",
                .forms = kText,
                .help = "column with the time in s",
                .fallback_note = "what the file itself says"},
               {.name = "step",
                .forms = kNumber,
                .help = "time between samples, for a file without time",
                .unit = "s",
                .range = above(0.0)},
               {.name = "dataset",
                .forms = kText,
                .help = "variable or group of a .mat or .h5 file",
                .fallback_note = "the only one"},
               {.name = "inputs",
                .forms = kTexts | kTable,
                .help = "model input = column of the file, or a list of columns",
                .fallback_note = "none",
                .table = &data_inputs_table()},
               {.name = "outputs",
                .forms = kTexts | kTable,
                .help = "model output = column of the file, or a list of columns",
                .required = true,
                .table = &equation_outputs_table()},
               {.name = "validation",
                .forms = kTable,
                .help = "data that are held back to test the model",
                .fallback_note = "none",
                .table = &equation_validation_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForEquations};
  return table;
}

const TableSpec& constants_table() {
  static const KeySpec any{.name = "NAME", .forms = kNumber, .help = "value of the constant NAME"};
  static const TableSpec table{.path = "model.constants",
                               .help = "Numbers that the equations use by name.",
                               .any_name = &any,
                               .model = kForEquations};
  return table;
}

const TableSpec& equation_start_table() {
  static const KeySpec any{.name = "STATE",
                           .forms = kNumber | kText,
                           .help = "a number, or an expression in parameters and constants"};
  static const TableSpec table{
      .path = "model.start",
      .help =
          "The states at the first sample of each experiment, for example { x1 = \"v10\", \"q'\" = "
          "0.5 }; states without one start at 0.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

const TableSpec& equation_units_table() {
  static const KeySpec any{.name = "NAME", .forms = kText, .help = "unit of NAME, such as \"m/s\""};
  static const TableSpec table{
      .path = "model.units",
      .help =
          "Units of states, inputs, outputs, parameters, constants and definitions. As soon as one "
          "is given the equations are checked, and columns are converted.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

const TableSpec& equation_model_table() {
  static const TableSpec table{
      .path = "model",
      .help =
          "Differential equations as text, see equations.md. Inputs and outputs are those that "
          "[data] names, parameters those of [identify.parameters].",
      .keys = {{.name = "equations",
                .forms = kText,
                .help = "x' = ..., y'' = ... and definitions, one a line",
                .required = true},
               {.name = "constants",
                .forms = kTable,
                .help = "known numbers",
                .fallback_note = "none",
                .table = &constants_table()},
               {.name = "start",
                .forms = kTable,
                .help = "states at the first sample",
                .fallback_note = "all 0",
                .table = &equation_start_table()},
               {.name = "units",
                .forms = kTable,
                .help = "units, to be checked",
                .fallback_note = "none",
                .table = &equation_units_table()}},
      .model = kForEquations};
  return table;
}

const TableSpec& prior_table() {
  static const TableSpec table{
      .path = "identify.parameters.NAME.prior",
      .help =
          "What is known of the parameter beforehand. It needs identify.weights, one over the "
          "noise "
          "of each output, to be weighed against the data.",
      .keys = {{.name = "mean", .forms = kNumber, .help = "expected value", .required = true},
               {.name = "std",
                .forms = kNumber,
                .help = "its standard deviation",
                .range = above(0.0),
                .required = true}},
      .model = kForEquations};
  return table;
}

const TableSpec& parameter_table() {
  static const TableSpec table{
      .path = "identify.parameters.NAME",
      .help = "One parameter; a number alone is its guess.",
      .keys =
          {{.name = "guess", .forms = kNumber, .help = "where the search begins"},
           {.name = "lower", .forms = kNumber, .help = "smallest value", .fallback_note = "none"},
           {.name = "upper", .forms = kNumber, .help = "largest value", .fallback_note = "none"},
           {.name = "scale",
            .forms = kNumber,
            .help = "size of a change that matters",
            .range = above(0.0),
            .fallback_note = "size of the guess"},
           {.name = "log",
            .forms = kBoolean,
            .help = "search its logarithm, for a positive one of unknown size",
            .fallback = "false"},
           {.name = "fixed", .forms = kBoolean, .help = "stays at the guess", .fallback = "false"},
           {.name = "tied-to", .forms = kText, .help = "follows the parameter of this name"},
           {.name = "factor", .forms = kNumber, .help = "times that parameter", .fallback = "1.0"},
           {.name = "prior",
            .forms = kTable,
            .help = "knowledge from elsewhere",
            .fallback_note = "none",
            .table = &prior_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"guess", "tied-to"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"factor", "tied-to"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"tied-to", "fixed"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"tied-to", "scale"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"tied-to", "log"}}},
      .model = kForEquations};
  return table;
}

const TableSpec& parameters_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kNumber | kTable,
                           .help = "parameter NAME of the equations",
                           .table = &parameter_table()};
  static const TableSpec table{
      .path = "identify.parameters",
      .help = "The unknowns, for example k = { guess = 2.0, lower = 0.0 }.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> simulation_keys() {
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
          {.name = "substeps",
           .forms = kInteger,
           .help = "Runge-Kutta steps per sample",
           .range = within(1.0, 10000.0),
           .fallback = "4"},
          {.name = "engine",
           .forms = kText,
           .help = "how the equations are computed; both engines give the same numbers",
           .choices = {"automatic", "interpreter", "native"},
           .fallback = "\"automatic\""}};
}

std::vector<KeySpec> search_keys() {
  return {{.name = "method",
           .forms = kText,
           .help = "how the parameters are found",
           .choices = {"output-error"},
           .required = true},
          {.name = "parameters",
           .forms = kTable,
           .help = "the unknowns",
           .required = true,
           .table = &parameters_table()},
          {.name = "solver",
           .forms = kText,
           .help = "search; all but levenberg-marquardt need no derivatives",
           .choices = {"levenberg-marquardt", "nelder-mead", "sbplx", "bobyqa", "mads"},
           .fallback = "\"levenberg-marquardt\""},
          {.name = "starts",
           .forms = kInteger,
           .help = "searches from so many starts, the first at the guess",
           .range = within(1.0, 100000.0),
           .fallback = "1"},
          {.name = "seed",
           .forms = kInteger,
           .help = "of the other starts and of mads",
           .range = at_least(0.0),
           .fallback = "1"},
          {.name = "max-evaluations",
           .forms = kInteger,
           .help = "simulations of all data per search",
           .range = at_least(1.0),
           .fallback_note = "200 for levenberg-marquardt, else 1000 (n + 1) for n unknowns"},
          {.name = "weights",
           .forms = kNumbers,
           .help = "factor of the residual of each output, in their order",
           .range = above(0.0),
           .fallback_note = "1 for one output; else one over the rms of the residuals"}};
}

const TableSpec& output_error_table() {
  static const TableSpec table = [] {
    TableSpec made{.path = "identify",
                   .help =
                       "Parameters of the equations by the output-error method: the simulated "
                       "output is brought as near to the measured one as it can be.",
                   .keys = search_keys(),
                   .model = kForEquations};
    for (KeySpec& key : simulation_keys()) made.keys.push_back(std::move(key));
    return made;
  }();
  return table;
}

}  // namespace

const TableSpec& equation_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study with a model given as equations.",
                               .keys = {{.name = "title",
                                         .forms = kText,
                                         .help = "heading of the report",
                                         .fallback_note = "name of the file"},
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &equation_data_table()},
                                        {.name = "model",
                                         .forms = kTable,
                                         .help = "what moves",
                                         .required = true,
                                         .table = &equation_model_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: parameters of the equations",
                                         .required = true,
                                         .table = &output_error_table()}},
                               .model = kForEquations};
  return table;
}

bool has_equations(const Value& root) {
  const Entry* model = root.find("model");
  return model != nullptr && model->value.find("equations") != nullptr;
}

bool is_output_error(const Value& root) {
  if (task_of(root) != "identify") return false;
  const Entry* method = root.find("identify")->value.find("method");
  const bool named = method != nullptr && method->value.text() != nullptr &&
                     *method->value.text() == "output-error";
  return named || has_equations(root);
}

}  // namespace alembert::study
