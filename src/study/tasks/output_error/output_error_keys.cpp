#include "study/tasks/output_error/output_error_keys.hpp"

namespace alembert::study {
namespace {

using identify::EquationFitOptions;
using identify::OutputErrorOptions;
using optimize::MinimiseOptions;
using optimize::Parameter;
using optimize::Prior;
using optimize::Tie;

template <typename... Members>
auto search_field(Members... members) {
  return field_of(&EquationFitOptions::output_error, members...);
}

// A length, or a word for one that is found.
void take_window(const Value& value, EquationFitOptions& options) {
  options.output_error.find_window = value.text() != nullptr;
  options.output_error.window = options.output_error.find_window ? 0.0 : value.number();
}

}  // namespace

const BoundKeys<EquationFitOptions>& output_error_keys() {
  static const auto keys = [] {
    BoundKeys<EquationFitOptions> list;
    list.key("solver", search_field(&OutputErrorOptions::search, &MinimiseOptions::solver),
             {.help = "search; all but levenberg-marquardt need no derivatives"})
        .key("starts", search_field(&OutputErrorOptions::starts),
             {.help = "searches from so many starts, the first at the guess",
              .range = within(1.0, 100000.0)})
        .key("seed", search_field(&OutputErrorOptions::seed),
             {.help = "of the other starts and of mads", .range = at_least(0.0)})
        .key("max-evaluations",
             search_field(&OutputErrorOptions::search, &MinimiseOptions::max_evaluations),
             {.help = "simulations of all data per search",
              .range = at_least(1.0),
              .fallback_note = "200 for levenberg-marquardt, else 1000 (n + 1) for n unknowns"})
        .key("weights", search_field(&OutputErrorOptions::weights),
             {.help = "factor of the residual of each output, in their order",
              .range = above(0.0),
              .fallback_note = "1 for one output; else one over the rms of the residuals"})
        .key("experiment-weights", search_field(&OutputErrorOptions::experiment_weights),
             {.help = "factor of the residuals of each experiment, in their order",
              .range = above(0.0),
              .fallback_note = "1"})
        .key("loss", search_field(&OutputErrorOptions::loss),
             {.help = "what a large residual counts; huber and bisquare keep outliers from "
                      "deciding and list them"})
        .key("strategy", search_field(&OutputErrorOptions::strategy),
             {.help = "how the search leaves a poor guess; see theory/output-error.md, Starts"})
        .through(
            {.name = "window",
             .forms = kNumber | kText,
             .help = "s; estimate over windows of this length with free start states; automatic: "
                     "the longest that the model follows",
             .range = at_least(0.0),
             .choices = {"automatic"},
             .fallback = "0.0",
             .fallback_note = "0: whole records"},
            take_window)
        .key("alternatives", &EquationFitOptions::alternatives,
             {.help = "where the fit is bad, try other signs, orders, units and delays of the "
                      "columns"})
        .key("missing-terms", search_field(&OutputErrorOptions::missing_terms),
             {.help = "look for terms that the equations have not and the residuals show, such as "
                      "dry friction"})
        // Names, or all free ones: more than the list that it leads to.
        .other({.name = "profile",
                .forms = kBoolean | kTexts,
                .help = "profile-likelihood intervals of all free parameters, or of those named",
                .fallback = "false"});
    return list;
  }();
  return keys;
}

const BoundKeys<Parameter>& parameter_keys() {
  static const auto keys =
      BoundKeys<Parameter>()
          .key("guess", &Parameter::guess, {.help = "where the search begins", .no_default = true})
          .key("lower", &Parameter::lower, {.help = "smallest value", .fallback_note = "none"})
          .key("upper", &Parameter::upper, {.help = "largest value", .fallback_note = "none"})
          .key("scale", &Parameter::scale,
               {.help = "size of a change that matters",
                .range = above(0.0),
                .fallback_note = "size of the guess"})
          .key("log", &Parameter::logarithmic,
               {.help = "search its logarithm, for a positive one of unknown size",
                .argument = "logarithmic"})
          .key("fixed", &Parameter::fixed, {.help = "stays at the guess"});
  return keys;
}

const BoundKeys<Tie>& tie_keys() {
  static const auto keys =
      BoundKeys<Tie>()
          .key("tied-to", &Tie::other,
               {.help = "follows the parameter of this name", .argument = "other"})
          .key("factor", &Tie::factor, {.help = "times that parameter"});
  return keys;
}

const BoundKeys<Prior>& prior_keys() {
  static const auto keys =
      BoundKeys<Prior>()
          .key("mean", &Prior::mean, {.help = "expected value", .required = true})
          .key("std", &Prior::deviation,
               {.help = "its standard deviation",
                .range = above(0.0),
                .required = true,
                .argument = "deviation"});
  return keys;
}

}  // namespace alembert::study
