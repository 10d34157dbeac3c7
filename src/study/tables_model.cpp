#include "study/tables.hpp"

namespace alembert::study {
namespace {

constexpr unsigned kMatrix = kNumber | kRows | kText | kTable;

KeySpec diagonal_key() {
  return {.name = "diagonal", .forms = kNumbers, .help = "diagonal entries; the others are zero"};
}

KeySpec file_key() {
  return {.name = "file", .forms = kText, .help = "matrix file: .mtx .csv .mat .h5"};
}

KeySpec dataset_key() {
  return {.name = "dataset",
          .forms = kText,
          .help = "variable of a .mat or .h5 file",
          .fallback_note = "the only one"};
}

const TableSpec& matrix_table() {
  static const TableSpec table{
      .path = "model.mass",
      .help = "A matrix that is not written out; the same for model.stiffness.",
      .keys = {diagonal_key(), file_key(), dataset_key()},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"diagonal", "file"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"dataset", "file"}}}};
  return table;
}

const TableSpec& damping_table() {
  static const TableSpec table{
      .path = "model.damping",
      .help = "Damping by rule: a M + b K, or modal ratios, or a matrix that is not written out.",
      .keys = {{.name = "mass",
                .forms = kNumber,
                .help = "a in D = a M + b K",
                .unit = "1/s",
                .range = at_least(0.0),
                .fallback = "0.0"},
               {.name = "stiffness",
                .forms = kNumber,
                .help = "b in D = a M + b K",
                .unit = "s",
                .range = at_least(0.0),
                .fallback = "0.0"},
               {.name = "ratios",
                .forms = kNumber | kNumbers,
                .help = "damping ratio of each mode, or one for all",
                .range = at_least(0.0)},
               diagonal_key(),
               file_key(),
               dataset_key()},
      .rules = {
          {.kind = KeyRule::Kind::AtLeastOne,
           .keys = {"mass", "stiffness", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::AtMostOne, .keys = {"mass", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::AtMostOne, .keys = {"stiffness", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::Needs, .keys = {"dataset", "file"}}}};
  return table;
}

const TableSpec& force_table() {
  static const TableSpec table{
      .path = "model.forces",
      .help = "The force distribution L from a file.",
      .keys = {file_key(), dataset_key()},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file"}, .what = "key"}}};
  return table;
}

const TableSpec& units_table() {
  static const TableSpec table{
      .path = "model.units",
      .help =
          "Unit labels: one text for all, or a list with one for each coordinate or input. "
          "The matrices must be given in the same units.",
      .keys = {{.name = "displacement",
                .forms = kText | kTexts,
                .help = "of the coordinates",
                .fallback = "\"m\""},
               {.name = "velocity",
                .forms = kText | kTexts,
                .help = "of their rates",
                .fallback_note = "displacement/s"},
               {.name = "acceleration",
                .forms = kText | kTexts,
                .help = "of their second rates",
                .fallback_note = "displacement/s^2"},
               {.name = "force",
                .forms = kText | kTexts,
                .help = "of the inputs",
                .fallback = "\"N\""}}};
  return table;
}

}  // namespace

const TableSpec& model_table() {
  static const TableSpec table{
      .path = "model",
      .help =
          "A linear mechanical system M q'' + D q' + K q = L u. A matrix is a list of rows, a "
          "number (one degree of freedom), the name of a file, or a table.",
      .keys = {{.name = "mass",
                .forms = kMatrix,
                .help = "M, symmetric positive definite",
                .required = true,
                .table = &matrix_table()},
               {.name = "stiffness",
                .forms = kMatrix,
                .help = "K, symmetric",
                .required = true,
                .table = &matrix_table()},
               {.name = "damping",
                .forms = kMatrix,
                .help = "D, symmetric",
                .fallback_note = "no damping",
                .table = &damping_table()},
               {.name = "forces",
                .forms = kText | kTexts | kRows | kTable,
                .help = "L: \"all\" coordinates, names of the driven ones, or a matrix",
                .fallback = "\"all\"",
                .table = &force_table()},
               {.name = "coordinates",
                .forms = kTexts,
                .help = "names of the coordinates",
                .fallback_note = "q1, q2, ..."},
               {.name = "inputs",
                .forms = kTexts,
                .help = "names of the inputs",
                .fallback_note = "u1, u2, ..."},
               {.name = "units", .forms = kTable, .help = "unit labels", .table = &units_table()}}};
  return table;
}

}  // namespace alembert::study
