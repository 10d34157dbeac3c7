#include "study/tables.hpp"

namespace alembert::study {

std::vector<std::string> task_names() { return {"simulate"}; }

const TableSpec& root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study: what was measured, what moves, and exactly one task.",
      .keys =
          {{.name = "title",
            .forms = kText,
            .help = "heading of the report",
            .fallback_note = "name of the file"},
           {.name = "data", .forms = kTable, .help = "what was measured", .table = &data_table()},
           {.name = "model",
            .forms = kTable,
            .help = "what moves",
            .required = true,
            .table = &model_table()},
           {.name = "simulate",
            .forms = kTable,
            .help = "task: the response, and what real sensors would give",
            .table = &simulate_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = task_names(), .what = "task table:"}}};
  return table;
}

const TableSpec& data_table() {
  static const KeySpec column{.name = "NAME",
                              .forms = kText,
                              .help = "column of the file that drives the model input NAME"};
  static const TableSpec inputs{
      .path = "data.inputs",
      .help =
          "Model inputs that come from the file. Units that the file names are converted to "
          "those of the model; units that do not fit are an error.",
      .any_name = &column};
  static const TableSpec table{
      .path = "data",
      .help = "Measured signals: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx.",
      .keys = {{.name = "file",
                .forms = kText,
                .help = "file, relative to the study",
                .required = true},
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
                .forms = kTable,
                .help = "model input = column of the file",
                .required = true,
                .table = &inputs}},
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}}};
  return table;
}

}  // namespace alembert::study
