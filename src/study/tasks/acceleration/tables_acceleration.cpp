#include "study/tasks/acceleration/tables_acceleration.hpp"

#include "alembert/study/detail/keys.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/acceleration/acceleration_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& motion_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Records of one motion: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm "
          ".wav .tdms. "
          "Several files are repetitions of the same test.",
      .keys = joined(data_file_keys(), motion_channel_keys().specs()),
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

const TableSpec& acceleration_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Stiffness, damping and nonlinearity of one degree of freedom from short "
          "records of acceleration, see acceleration.md.",
      .keys = acceleration_keys().specs(),
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
                                        author_key(),
                                        customer_key(),
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
