#include "study/parts/equations/tables_equations.hpp"

#include "study/parts/data/tables_data.hpp"
#include "study/parts/equations/held_back_keys.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& output_file_table() {
  static const TableSpec table{
      .path = "data.outputs.NAME",
      .help =
          "An output with a file and a rate of its own. Its times must be among those of the "
          "inputs; between them it is missing.",
      .keys = {own_file_key(),
               {.name = "column",
                .forms = kText,
                .help = "column of that file",
                .fallback_note = "NAME"},
               {.name = "time",
                .forms = kText,
                .help = "column with the time in s",
                .fallback_note = "what the file itself says"},
               dataset_key()},
      .model = kForEquations};
  return table;
}

const TableSpec& equation_outputs_table() {
  static const KeySpec column{
      .name = "NAME",
      .forms = kText | kTable,
      .help = "column of the file with the model's output NAME, or a file of its own",
      .table = &output_file_table()};
  static const TableSpec table{
      .path = "data.outputs",
      .help = "Measured outputs: names of definitions or states of the equations.",
      .any_name = &column,
      .model = kForEquations};
  return table;
}

const TableSpec& sample_weights_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kText,
                           .help = "column with the factors of the residuals of the output NAME"};
  static const TableSpec table{
      .path = "data.weights",
      .help =
          "Factors of the residuals of single samples for method = \"output-error\", 0 and above; "
          "held-back data have none.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> held_back_file_keys() {
  return {
      {.name = "file", .forms = kText, .help = "a further file", .fallback_note = "that of [data]"},
      {.name = "files", .forms = kTexts, .help = "several further files"},
      fraction_key(),
      {.name = "inputs",
       .forms = kTexts | kTable,
       .help = "the columns of the inputs",
       .fallback_note = "those of [data]",
       .table = &data_inputs_table()},
      {.name = "outputs",
       .forms = kTexts | kTable,
       .help = "the columns of the outputs",
       .fallback_note = "those of [data]",
       .table = &equation_outputs_table()}};
}

const TableSpec& equation_validation_table() {
  static const TableSpec table{
      .path = "data.validation",
      .help =
          "Data that are held back: they take no part in the identification, and show how well "
          "the model simulates what it has not seen.",
      .keys = joined(held_back_file_keys(), held_back_keys().specs()),
      .rules = {{.kind = KeyRule::Kind::AtLeastOne,
                 .keys = {"file", "files", "inputs", "outputs", "fraction"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"file", "files", "fraction"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"fraction", "inputs"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"fraction", "outputs"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"start-samples", "start"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"ahead", "window"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"window", "start"}}},
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> equation_channel_keys() {
  return {{.name = "inputs",
           .forms = kTexts | kTable,
           .help = "model input = column of the file, or a list of columns",
           .fallback_note = "none",
           .table = &data_inputs_table()},
          measured_outputs_key("model output = column of the file, or a list of columns",
                               equation_outputs_table()),
          {.name = "weights",
           .forms = kTable,
           .help = "model output = column with a factor for each sample; 0 leaves it out",
           .fallback_note = "1 for all",
           .table = &sample_weights_table()},
          detrend_key(),
          validation_key(equation_validation_table())};
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
                           .forms = kNumber | kText | kNumbers,
                           .help =
                               "a number, an expression in parameters, constants and inputs at "
                               "the first sample, or a list with a number for each experiment"};
  static const TableSpec table{
      .path = "model.start",
      .help =
          "The states at the first sample of each experiment, for example { x1 = \"v10\", \"q'\" = "
          "0.5 }; states without one start at 0. With start = \"free\" they are guesses.",
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

const TableSpec& curve_table() {
  static const TableSpec table{
      .path = "model.tables.NAME",
      .help = "A curve y(x) from a file; beyond its points the end values are held.",
      .keys = {own_file_key(),
               {.name = "x", .forms = kText, .help = "column with x, increasing", .required = true},
               {.name = "y", .forms = kText, .help = "column with y", .required = true},
               {.name = "interpolation",
                .forms = kText,
                .help = "between the points",
                .choices = {"linear", "cubic"},
                .fallback = "\"linear\""},
               dataset_key()},
      .model = kForEquations};
  return table;
}

const TableSpec& curves_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kTable, .help = "curve NAME", .table = &curve_table()};
  static const TableSpec table{
      .path = "model.tables",
      .help =
          "Curves that the equations read as table(\"NAME\", x), for example pump = { file = "
          "\"pump.csv\", x = \"voltage\", y = \"flow\" }.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

}  // namespace

const TableSpec& equation_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Measured signals: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm .wav "
          ".tdms.",
      .keys = joined(data_file_keys(), equation_channel_keys()),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForEquations};
  return table;
}

const TableSpec& equation_model_table() {
  static const TableSpec table{
      .path = "model",
      .help =
          "Differential equations as text, see equations.md. Inputs and outputs are those that "
          "[data] or [simulate] names, parameters those of [identify.parameters] or "
          "[simulate.parameters].",
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
               {.name = "tables",
                .forms = kTable,
                .help = "curves from files, read as table(\"NAME\", x)",
                .fallback_note = "none",
                .table = &curves_table()},
               {.name = "units",
                .forms = kTable,
                .help = "units, to be checked",
                .fallback_note = "none",
                .table = &equation_units_table()}},
      .model = kForEquations};
  return table;
}

}  // namespace alembert::study
