#include "study/parts/linear/tables_model.hpp"

#include "study/parts/linear/tables_unknowns.hpp"

namespace alembert::study {
namespace {

constexpr unsigned kMatrix = kNumber | kRows | kText | kTable;

KeySpec diagonal_key() {
  return {.name = "diagonal", .forms = kNumbers, .help = "diagonal entries; the others are zero"};
}

KeySpec file_key() {
  return {.name = "file", .forms = kText, .help = "matrix file: .mtx .csv .mat .h5"};
}

KeySpec matrix_dataset_key() {
  return {.name = "dataset",
          .forms = kText,
          .help = "variable of a .mat or .h5 file",
          .fallback_note = "the only one"};
}

}  // namespace

const TableSpec& matrix_table() {
  static const TableSpec table{
      .path = "model.mass",
      .help = "A matrix that is not written out; the same for model.stiffness and [truth].",
      .keys = {diagonal_key(), file_key(), matrix_dataset_key()},
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
               matrix_dataset_key()},
      .rules = {
          {.kind = KeyRule::Kind::AtLeastOne,
           .keys = {"mass", "stiffness", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::AtMostOne, .keys = {"mass", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::AtMostOne, .keys = {"stiffness", "ratios", "diagonal", "file"}},
          {.kind = KeyRule::Kind::Needs, .keys = {"dataset", "file"}}}};
  return table;
}

namespace {

const TableSpec& force_table() {
  static const TableSpec table{
      .path = "model.forces",
      .help = "The force distribution L from a file.",
      .keys = {file_key(), matrix_dataset_key()},
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

std::vector<KeySpec> matrix_keys() {
  return {{.name = "mass",
           .forms = kMatrix,
           .help = "M, symmetric positive definite; for [identify] a nominal model to start from",
           .required_by = "simulate",
           .table = &matrix_table()},
          {.name = "stiffness",
           .forms = kMatrix,
           .help = "K, symmetric",
           .required_by = "simulate",
           .table = &matrix_table()},
          {.name = "damping",
           .forms = kMatrix,
           .help = "D, symmetric",
           .fallback_note = "no damping",
           .table = &damping_table()}};
}

std::vector<KeySpec> naming_keys() {
  return {{.name = "forces",
           .forms = kText | kTexts | kRows | kTable,
           .help = "L: \"all\" coordinates, names of the driven ones, or a matrix",
           .fallback = "\"all\"",
           .table = &force_table()},
          {.name = "coordinates",
           .forms = kTexts,
           .help = "names of the coordinates",
           .fallback_note = "q1, q2, ..."},
          {.name = "degrees-of-freedom",
           .forms = kInteger,
           .help = "number of coordinates, where they have no names of their own",
           .range = within(1.0, 1000.0),
           .tasks = {"identify"}},
          {.name = "inputs",
           .forms = kTexts,
           .help = "names of the inputs",
           .fallback_note = "u1, u2, ..., for [identify] those of data.inputs"},
          {.name = "units", .forms = kTable, .help = "unit labels", .table = &units_table()}};
}

std::vector<KeySpec> structure_keys() {
  return {{.name = "mass-structure",
           .forms = kText,
           .help = "which entries of M are unknown",
           .choices = {"full", "diagonal"},
           .fallback = "\"full\"",
           .tasks = {"identify", "monte-carlo"}},
          {.name = "damping-structure",
           .forms = kText,
           .help = "full D, or D = alpha M + beta K",
           .choices = {"full", "proportional"},
           .fallback = "\"full\"",
           .tasks = {"identify", "monte-carlo"}},
          {.name = "fixed",
           .forms = kTable,
           .help = "entries whose value is known",
           .tasks = {"identify", "monte-carlo"},
           .table = &fixed_table()},
          {.name = "tied",
           .forms = kTable,
           .help = "entries that follow another entry",
           .tasks = {"identify", "monte-carlo"},
           .table = &tied_table()},
          {.name = "elements",
           .forms = kTable,
           .help = "springs, dampers and masses as the unknowns",
           .tasks = {"identify", "monte-carlo"},
           .table = &elements_table()}};
}

std::vector<KeySpec> model_keys() {
  std::vector<KeySpec> keys = matrix_keys();
  for (const std::vector<KeySpec>& more : {naming_keys(), structure_keys()}) {
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys;
}

}  // namespace

const TableSpec& model_table() {
  static const TableSpec table{
      .path = "model",
      .help =
          "A linear mechanical system M q'' + D q' + K q = L u. A matrix is a list of rows, a "
          "number (one degree of freedom), the name of a file, or a table. [identify] needs the "
          "number of coordinates (coordinates, degrees-of-freedom or mass) and what is known.",
      .keys = model_keys(),
      .rules = {{.kind = KeyRule::Kind::AtMostOne, .keys = {"coordinates", "degrees-of-freedom"}}}};
  return table;
}

}  // namespace alembert::study
