#include "study/parts/data/tables_inputs.hpp"

namespace alembert::study {
namespace {

// The help that the kinds with a height share.
KeyAbout about_amplitude() { return {.help = "height of the signal", .unit = "input"}; }

}  // namespace

const BoundKeys<signal::SplineNoiseOptions>& spline_noise_keys() {
  using Options = signal::SplineNoiseOptions;
  static const auto keys =
      BoundKeys<Options>()
          .key("knots", &Options::knot_step,
               {.help = "time between knots",
                .unit = "s",
                .range = above(0.0),
                .fallback_note = "a knot at every sample (white samples)"})
          .key(
              "sigma", &Options::sigma,
              {.help = "standard deviation of the knots", .unit = "input", .range = at_least(0.0)});
  return keys;
}

const BoundKeys<signal::MultisineOptions>& multisine_keys() {
  using Options = signal::MultisineOptions;
  static const auto keys =
      BoundKeys<Options>()
          .other({.name = "lines",
                  .forms = kNumbers,
                  .help = "line numbers; line l has the frequency l/period",
                  .range = at_least(1.0)})
          .other({.name = "band",
                  .forms = kNumbers,
                  .help = "instead of lines: lowest and highest frequency",
                  .unit = "Hz",
                  .range = at_least(0.0),
                  .size = 2})
          .other({.name = "odd",
                  .forms = kBoolean,
                  .help = "with band: odd lines only",
                  .fallback = "false"})
          .other({.name = "period",
                  .forms = kNumber,
                  .help = "time after which the signal repeats",
                  .unit = "s",
                  .range = above(0.0),
                  .fallback_note = "the whole record"})
          .key("rms", &Options::rms,
               {.help = "root mean square of the signal", .unit = "input", .range = at_least(0.0)})
          .key("phase", &Options::phase, {.help = "random, or Schroeder's for a low crest factor"});
  return keys;
}

const BoundKeys<signal::ChirpOptions>& chirp_keys() {
  using Options = signal::ChirpOptions;
  static const auto keys = BoundKeys<Options>()
                               .key("begin", &Options::begin_hz,
                                    {.help = "frequency at the first sample",
                                     .unit = "Hz",
                                     .range = at_least(0.0),
                                     .required = true})
                               .key("end", &Options::end_hz,
                                    {.help = "frequency at the last sample",
                                     .unit = "Hz",
                                     .range = at_least(0.0),
                                     .required = true})
                               .key("amplitude", &Options::amplitude, about_amplitude())
                               .key("logarithmic", &Options::logarithmic,
                                    {.help = "frequency grows exponentially instead of linearly"});
  return keys;
}

const BoundKeys<signal::PrbsOptions>& prbs_keys() {
  using Options = signal::PrbsOptions;
  static const auto keys =
      BoundKeys<Options>()
          .key("order", &Options::order,
               {.help = "register length; the sequence repeats after 2^order - 1 clocks",
                .range = within(2.0, 24.0)})
          .other({.name = "clock",
                  .forms = kNumber,
                  .help = "time each value is held",
                  .unit = "s",
                  .range = above(0.0),
                  .fallback_note = "one step"})
          .key("amplitude", &Options::amplitude, about_amplitude());
  return keys;
}

const BoundKeys<signal::StepsOptions>& steps_keys() {
  using Options = signal::StepsOptions;
  static const auto keys =
      BoundKeys<Options>()
          .key("times", &Options::times,
               {.help = "when each level begins after the first sample, increasing",
                .unit = "s",
                .range = at_least(0.0),
                .required = true})
          .key("levels", &Options::levels,
               {.help = "as many as times", .unit = "input", .required = true});
  return keys;
}

const BoundKeys<signal::PulsesOptions>& pulses_keys() {
  using Options = signal::PulsesOptions;
  static const auto keys =
      BoundKeys<Options>()
          .key("times", &Options::times,
               {.help = "when each pulse begins after the first sample",
                .unit = "s",
                .range = at_least(0.0),
                .required = true})
          .key("width", &Options::width,
               {.help = "length of a pulse", .unit = "s", .range = above(0.0), .required = true})
          .key("amplitude", &Options::amplitude, about_amplitude());
  return keys;
}

namespace {

std::vector<Variant> kinds_of_input() {
  return {{.tag_value = "spline-noise",
           .help = "smooth noise: a cubic spline through random knots",
           .keys = spline_noise_keys().specs()},
          {.tag_value = "multisine",
           .help = "periodic sum of cosines on chosen lines",
           .keys = multisine_keys().specs(),
           .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"lines", "band"}},
                     {.kind = KeyRule::Kind::Needs, .keys = {"odd", "band"}}}},
          {.tag_value = "chirp",
           .help = "sine sweep over the whole record",
           .keys = chirp_keys().specs()},
          {.tag_value = "prbs",
           .help = "pseudo-random binary sequence of maximum length",
           .keys = prbs_keys().specs()},
          {.tag_value = "steps",
           .help = "piecewise constant; zero before the first time",
           .keys = steps_keys().specs()},
          {.tag_value = "pulses",
           .help = "half-sine pulses, as of a hammer",
           .keys = pulses_keys().specs()},
          {.tag_value = "zero", .help = "stays zero", .keys = {}}};
}

}  // namespace

const TableSpec& input_table() {
  static const TableSpec table{.path = "simulate.inputs.NAME",
                               .help = "One generated input; `kind` decides which other keys hold.",
                               .keys = {{.name = "kind",
                                         .forms = kText,
                                         .help = "what the signal is",
                                         .choices = {"spline-noise", "multisine", "chirp", "prbs",
                                                     "steps", "pulses", "zero"},
                                         .required = true}},
                               .tag = "kind",
                               .variants = kinds_of_input()};
  return table;
}

const TableSpec& simulate_inputs_table() {
  static const KeySpec any{.name = "NAME",
                           .forms = kTable,
                           .help = "signal of the model input NAME",
                           .table = &input_table()};
  static const TableSpec table{
      .path = "simulate.inputs",
      .help =
          "Generated inputs: one table for each model input, by name. `all` holds for every "
          "input that is neither named here nor read from the data file. The others are zero.",
      .any_name = &any};
  return table;
}

}  // namespace alembert::study
