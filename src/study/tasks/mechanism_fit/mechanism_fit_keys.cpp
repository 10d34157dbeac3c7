#include "study/tasks/mechanism_fit/mechanism_fit_keys.hpp"

#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using identify::MechanismFitOptions;
using optimize::MinimiseOptions;
using optimize::Parameter;

template <typename... Members>
auto fit_field(Members... members) {
  return field_of(&MechanismFitSettings::fit, members...);
}

const TableSpec& mechanism_parameter_table() {
  static const TableSpec table{.path = "identify.parameters.NAME",
                               .help = "One number of the mechanism; a number alone is its guess.",
                               .keys = number_keys().specs(),
                               .model = kForMechanisms};
  return table;
}

const TableSpec& mechanism_parameters_table() {
  static const KeySpec any{
      .name = "NAME",
      .forms = kNumber | kTable,
      .help =
          "\"BODY.mass\", \"BODY.inertia\", \"BODY.centre.x\", \"BODY.centre.y\", "
          "\"PASSIVE.stiffness\" (or .free, .preload, .damping, .coulomb, .breakaway, "
          ".stribeck-rate, .smooth-rate), \"FORCE.gain\", \"SENSOR.offset\" or a length of "
          "[mechanism.parameters]",
      .table = &mechanism_parameter_table()};
  static const TableSpec table{
      .path = "identify.parameters",
      .help =
          "The unknowns, for example \"arm.inertia\" = { guess = 0.1 }; names with a dot stand "
          "in quotes.",
      .any_name = &any,
      .model = kForMechanisms};
  return table;
}

}  // namespace

const BoundKeys<Parameter>& number_keys() {
  static const auto keys =
      BoundKeys<Parameter>()
          .key("guess", &Parameter::guess,
               {.help = "where the search begins", .fallback_note = "that of [mechanism]"})
          .key("lower", &Parameter::lower,
               {.help = "smallest value", .fallback_note = "0 where it cannot be negative"})
          .key("upper", &Parameter::upper, {.help = "largest value", .fallback_note = "none"})
          .key("scale", &Parameter::scale,
               {.help = "size of a change that matters",
                .range = above(0.0),
                .fallback_note = "size of the guess"})
          .key("fixed", &Parameter::fixed, {.help = "stays at the guess"});
  return keys;
}

const BoundKeys<MechanismFitSettings>& mechanism_fit_keys() {
  static const auto keys =
      BoundKeys<MechanismFitSettings>()
          .choice("between", fit_field(&MechanismFitOptions::between),
                  std::vector<EnumName<signal::BetweenSamples>>{
                      {signal::BetweenSamples::Held, "held"},
                      {signal::BetweenSamples::Linear, "linear"}},
                  {.help = "the forces between samples"})
          .key("substeps", fit_field(&MechanismFitOptions::substeps),
               {.help = "Runge-Kutta steps per sample", .range = within(1.0, 1000.0)})
          .key("weights", fit_field(&MechanismFitOptions::weights),
               {.help = "factor of the residual of each motion sensor, in their order",
                .range = above(0.0),
                .fallback_note = "one over sigma"})
          .key("start", &MechanismFitSettings::start,
               {.help = "all coordinates at the first sample, then their rates",
                .unit = "rad, m, per s",
                .fallback_note = "from the readings"})
          .key("fit-start", fit_field(&MechanismFitOptions::fit_start),
               {.help = "the state at the first sample is fitted too"})
          .key("inverse-dynamics", fit_field(&MechanismFitOptions::inverse_dynamics),
               {.help = "regression of the forces on the motion, as a start and to compare with"})
          .key("max-evaluations",
               fit_field(&MechanismFitOptions::search, &MinimiseOptions::max_evaluations),
               {.help = "simulations of the record in the search",
                .range = at_least(1.0),
                .fallback_note = "200"})
          .key("held-back", &MechanismFitSettings::held_back,
               {.help = "last part of the record that is only predicted",
                .range = within(0.0, 0.9)});
  return keys;
}

const TableSpec& mechanism_fit_table() {
  static const TableSpec table{
      .path = "identify",
      .help =
          "Numbers of a mechanism by the output-error method: its motion under the measured forces "
          "is brought as near to the readings as it can be.",
      .keys = joined({{.name = "method",
                       .forms = kText,
                       .help = "how the parameters are found",
                       .choices = {"output-error"},
                       .required = true},
                      {.name = "parameters",
                       .forms = kTable,
                       .help = "the unknowns",
                       .required = true,
                       .table = &mechanism_parameters_table()}},
                     mechanism_fit_keys().specs()),
      .model = kForMechanisms};
  return table;
}

}  // namespace alembert::study
