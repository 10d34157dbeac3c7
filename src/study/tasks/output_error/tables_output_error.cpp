#include "study/tasks/output_error/tables_output_error.hpp"

#include "alembert/identify/output_error.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

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

std::vector<KeySpec> search_keys() {
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
          {.name = "solver",
           .forms = kText,
           .help = "search; all but levenberg-marquardt need no derivatives",
           .choices = all_names<optimize::Solver>(),
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
           .fallback_note = "1 for one output; else one over the rms of the residuals"},
          {.name = "strategy",
           .forms = kText,
           .help = "how the search leaves a poor guess; see theory/output-error.md, Starts",
           .choices = all_names<identify::StartStrategy>(),
           .fallback = "\"automatic\""},
          {.name = "profile",
           .forms = kBoolean | kTexts,
           .help = "profile-likelihood intervals of all free parameters, or of those named",
           .fallback = "false"}};
}

}  // namespace

const TableSpec& output_error_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Parameters of the equations by the output-error method: the simulated "
          "output is brought as near to the measured one as it can be.",
      .keys = joined(search_keys(), simulation_keys(4).specs()),
      .model = kForEquations};
  return table;
}

}  // namespace alembert::study
