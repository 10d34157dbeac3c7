#include "study/parts/data/tables_data.hpp"

#include "study/parts/conditioning/condition_keys.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {

const TableSpec& data_inputs_table() {
  static const KeySpec column{.name = "NAME",
                              .forms = kText,
                              .help = "column of the file that drives the model input NAME"};
  static const TableSpec table{
      .path = "data.inputs",
      .help =
          "Model inputs that come from the file. Units that the file names are converted to "
          "those of the model; units that do not fit are an error.",
      .any_name = &column};
  return table;
}

namespace {

const TableSpec& data_outputs_table() {
  static const KeySpec column{
      .name = "NAME", .forms = kText, .help = "column of the file with the output NAME"};
  static const TableSpec table{
      .path = "data.outputs",
      .help =
          "Measured outputs. [sensors] says what they are; without it the displacements of the "
          "coordinates in order.",
      .any_name = &column};
  return table;
}

const TableSpec& validation_table() {
  static const TableSpec table{
      .path = "data.validation",
      .help =
          "Data that are held back: they take no part in the identification, and show how well "
          "the model predicts what it has not seen.",
      .keys = {{.name = "file", .forms = kText, .help = "a further file with the same columns"},
               {.name = "files", .forms = kTexts, .help = "several further files"},
               fraction_key()},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files", "fraction"}}}};
  return table;
}

std::vector<KeySpec> channel_keys() {
  return {{.name = "inputs",
           .forms = kTexts | kTable,
           .help = "model input = column of the file, or a list of columns",
           .required = true,
           .table = &data_inputs_table()},
          measured_outputs_key("output = column of the file, or a list of columns",
                               data_outputs_table()),
          detrend_key(),
          validation_key(validation_table())};
}

}  // namespace

std::vector<KeySpec> file_time_keys() {
  return {{.name = "time",
           .forms = kText,
           .help = "column with the time in s",
           .fallback_note = "what the file itself says"},
          {.name = "step",
           .forms = kNumber,
           .help = "time between samples, for a file without time",
           .unit = "s",
           .range = above(0.0)},
          dataset_key()};
}

std::vector<KeySpec> data_file_keys() {
  return joined({{.name = "file", .forms = kText, .help = "file, relative to the study"},
                 {.name = "files",
                  .forms = kTexts,
                  .help = "several files with the same columns, one experiment each",
                  .tasks = {"identify"}}},
                joined(joined(file_time_keys(), condition_specs()), read_limit_keys()));
}

std::vector<KeySpec> read_limit_keys() {
  return {{.name = "memory",
           .forms = kNumber,
           .help = "memory that the numbers of a file may take; what needs more is refused",
           .unit = "MB",
           .range = within(1.0, 1e9),
           .fallback_note = "half of the machine's memory"},
          {.name = "external",
           .forms = kBoolean,
           .help = "let .h5 and .mat files take numbers from other files",
           .fallback = "false"}};
}

KeySpec own_file_key() {
  return {.name = "file", .forms = kText, .help = "file, relative to the study", .required = true};
}

KeySpec dataset_key() {
  return {.name = "dataset",
          .forms = kText,
          .help = "variable or group of a .mat or .h5 file",
          .fallback_note = "the only one"};
}

KeySpec measured_outputs_key(const std::string& help, const TableSpec& table) {
  return {.name = "outputs",
          .forms = kTexts | kTable,
          .help = help,
          .required_by = "identify",
          .tasks = {"identify"},
          .table = &table};
}

KeySpec validation_key(const TableSpec& table) {
  return {.name = "validation",
          .forms = kTable,
          .help = "data that are held back to test the model",
          .fallback_note = "none",
          .tasks = {"identify"},
          .table = &table};
}

KeySpec detrend_key() {
  return {.name = "detrend",
          .forms = kText,
          .help = "what is taken off every channel of each experiment first",
          .choices = {"none", "mean", "line"},
          .fallback = "\"none\"",
          .tasks = {"identify"}};
}

KeySpec fraction_key() {
  return {.name = "fraction",
          .forms = kNumber,
          .help = "the last part of each experiment, as a share of its samples",
          .range = within(0.0, 0.9)};
}

const TableSpec& data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Measured signals: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm .wav "
          ".tdms.",
      .keys = joined(data_file_keys(), channel_keys()),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}}};
  return table;
}

}  // namespace alembert::study
