#include "study/tasks/output_error/tables_output_error.hpp"

#include "study/parts/equations/simulation_keys.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/output_error/output_error_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& prior_table() {
  static const TableSpec table{
      .path = "identify.parameters.NAME.prior",
      .help =
          "What is known of the parameter beforehand. It needs identify.weights, one over the "
          "noise of each output, to be weighed against the data.",
      .keys = prior_keys().specs(),
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> keys_of_parameter() {
  std::vector<KeySpec> keys = joined(parameter_keys().specs(), tie_keys().specs());
  keys.push_back({.name = "prior",
                  .forms = kTable,
                  .help = "knowledge from elsewhere",
                  .fallback_note = "none",
                  .table = &prior_table()});
  return keys;
}

const TableSpec& parameter_table() {
  static const TableSpec table{
      .path = "identify.parameters.NAME",
      .help = "One parameter; a number alone is its guess.",
      .keys = keys_of_parameter(),
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

const TableSpec& compared_start_table() {
  static const KeySpec any{
      .name = "STATE", .forms = kNumber | kText, .help = "a number or an expression"};
  static const TableSpec table{
      .path = "identify.compare.NAME.start",
      .help = "Start values of states; the others take those of model.start.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

const TableSpec& compared_set_table() {
  static const TableSpec table{
      .path = "identify.compare.NAME",
      .help = "One set of equations; a text alone is the equations.",
      .keys = {{.name = "equations",
                .forms = kText,
                .help = "the text, with the inputs, outputs and constants of [model]",
                .required = true},
               {.name = "parameters",
                .forms = kTable,
                .help = "unknowns that identify.parameters does not have, or with other guesses",
                .fallback_note = "those of identify.parameters that the text uses",
                .table = &parameters_table()},
               {.name = "start",
                .forms = kTable,
                .help = "start values",
                .fallback_note = "those of model.start",
                .table = &compared_start_table()}},
      .model = kForEquations};
  return table;
}

const TableSpec& compared_sets_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kText | kTable,
                           .help = "another set of equations, called NAME",
                           .table = &compared_set_table()};
  static const TableSpec table{
      .path = "identify.compare",
      .help =
          "Other sets of equations for the same data, for method = \"output-error\": compared by "
          "information criteria and by the held-back data.",
      .any_name = &any,
      .model = kForEquations};
  return table;
}

std::vector<KeySpec> unknowns_keys() {
  return {{.name = "method",
           .forms = kText,
           .help = "how the parameters are found",
           .choices = {"output-error", "acceleration"},
           .required = true},
          {.name = "parameters",
           .forms = kTable,
           .help = "the unknowns",
           .required = true,
           .table = &parameters_table()},
          {.name = "compare",
           .forms = kTable,
           .help = "other sets of equations to compare with",
           .fallback_note = "none",
           .table = &compared_sets_table()}};
}

}  // namespace

const TableSpec& output_error_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Parameters of the equations by the output-error method: the simulated "
          "output is brought as near to the measured one as it can be.",
      .keys =
          joined(joined(unknowns_keys(), output_error_keys().specs()), simulation_keys().specs()),
      .model = kForEquations};
  return table;
}

}  // namespace alembert::study
