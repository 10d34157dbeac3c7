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
           .table = &parameters_table()}};
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
