#include "study/schema/tables.hpp"

namespace alembert::study {
namespace {

KeySpec amplitude_key() {
  return {.name = "amplitude",
          .forms = kNumber,
          .help = "height of the signal",
          .unit = "input",
          .fallback = "1.0"};
}

Variant spline_noise() {
  return {.tag_value = "spline-noise",
          .help = "smooth noise: a cubic spline through random knots",
          .keys = {{.name = "knots",
                    .forms = kNumber,
                    .help = "time between knots",
                    .unit = "s",
                    .range = above(0.0),
                    .fallback_note = "a knot at every sample (white samples)"},
                   {.name = "sigma",
                    .forms = kNumber,
                    .help = "standard deviation of the knots",
                    .unit = "input",
                    .range = at_least(0.0),
                    .fallback = "1.0"}}};
}

Variant multisine() {
  return {.tag_value = "multisine",
          .help = "periodic sum of cosines on chosen lines",
          .keys = {{.name = "lines",
                    .forms = kNumbers,
                    .help = "line numbers; line l has the frequency l/period",
                    .range = at_least(1.0)},
                   {.name = "band",
                    .forms = kNumbers,
                    .help = "instead of lines: lowest and highest frequency",
                    .unit = "Hz",
                    .range = at_least(0.0),
                    .size = 2},
                   {.name = "odd",
                    .forms = kBoolean,
                    .help = "with band: odd lines only",
                    .fallback = "false"},
                   {.name = "period",
                    .forms = kNumber,
                    .help = "time after which the signal repeats",
                    .unit = "s",
                    .range = above(0.0),
                    .fallback_note = "the whole record"},
                   {.name = "rms",
                    .forms = kNumber,
                    .help = "root mean square of the signal",
                    .unit = "input",
                    .range = at_least(0.0),
                    .fallback = "1.0"},
                   {.name = "phase",
                    .forms = kText,
                    .help = "random, or Schroeder's for a low crest factor",
                    .choices = {"random", "schroeder"},
                    .fallback = "\"random\""}},
          .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"lines", "band"}},
                    {.kind = KeyRule::Kind::Needs, .keys = {"odd", "band"}}}};
}

Variant chirp() {
  return {.tag_value = "chirp",
          .help = "sine sweep over the whole record",
          .keys = {{.name = "begin",
                    .forms = kNumber,
                    .help = "frequency at the first sample",
                    .unit = "Hz",
                    .range = at_least(0.0),
                    .required = true},
                   {.name = "end",
                    .forms = kNumber,
                    .help = "frequency at the last sample",
                    .unit = "Hz",
                    .range = at_least(0.0),
                    .required = true},
                   amplitude_key(),
                   {.name = "logarithmic",
                    .forms = kBoolean,
                    .help = "frequency grows exponentially instead of linearly",
                    .fallback = "false"}}};
}

Variant prbs() {
  return {.tag_value = "prbs",
          .help = "pseudo-random binary sequence of maximum length",
          .keys = {{.name = "order",
                    .forms = kInteger,
                    .help = "register length; the sequence repeats after 2^order - 1 clocks",
                    .range = within(2.0, 24.0),
                    .fallback = "10"},
                   {.name = "clock",
                    .forms = kNumber,
                    .help = "time each value is held",
                    .unit = "s",
                    .range = above(0.0),
                    .fallback_note = "one step"},
                   amplitude_key()}};
}

Variant steps() {
  return {.tag_value = "steps",
          .help = "piecewise constant; zero before the first time",
          .keys = {{.name = "times",
                    .forms = kNumbers,
                    .help = "when each level begins after the first sample, increasing",
                    .unit = "s",
                    .range = at_least(0.0),
                    .required = true},
                   {.name = "levels",
                    .forms = kNumbers,
                    .help = "as many as times",
                    .unit = "input",
                    .required = true}}};
}

Variant pulses() {
  return {.tag_value = "pulses",
          .help = "half-sine pulses, as of a hammer",
          .keys = {{.name = "times",
                    .forms = kNumbers,
                    .help = "when each pulse begins after the first sample",
                    .unit = "s",
                    .range = at_least(0.0),
                    .required = true},
                   {.name = "width",
                    .forms = kNumber,
                    .help = "length of a pulse",
                    .unit = "s",
                    .range = above(0.0),
                    .required = true},
                   amplitude_key()}};
}

}  // namespace

const TableSpec& input_table() {
  static const TableSpec table{
      .path = "simulate.inputs.NAME",
      .help = "One generated input; `kind` decides which other keys hold.",
      .keys = {{.name = "kind",
                .forms = kText,
                .help = "what the signal is",
                .choices = {"spline-noise", "multisine", "chirp", "prbs", "steps", "pulses",
                            "zero"},
                .required = true}},
      .tag = "kind",
      .variants = {spline_noise(),
                   multisine(),
                   chirp(),
                   prbs(),
                   steps(),
                   pulses(),
                   {.tag_value = "zero", .help = "stays zero", .keys = {}}}};
  return table;
}

}  // namespace alembert::study
