#include "study/tasks/state_space/state_space_keys.hpp"

#include "study/parts/data/tables_data.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using identify::StateSpaceOptions;

const TableSpec& state_space_channels_table(bool inputs) {
  static const KeySpec input{
      .name = "NAME", .forms = kText, .help = "column of the file with the input NAME"};
  static const KeySpec output{
      .name = "NAME", .forms = kText, .help = "column of the file with the output NAME"};
  static const TableSpec of_inputs{.path = "data.inputs",
                                   .help = "Measured inputs.",
                                   .any_name = &input,
                                   .model = kForStateSpace};
  static const TableSpec of_outputs{.path = "data.outputs",
                                    .help = "Measured outputs, of any kind and unit.",
                                    .any_name = &output,
                                    .model = kForStateSpace};
  return inputs ? of_inputs : of_outputs;
}

const TableSpec& state_space_validation_table() {
  static const TableSpec table{
      .path = "data.validation",
      .help = "Data that are held back: they take no part in any choice.",
      .keys = {{.name = "file", .forms = kText, .help = "a further file with the same columns"},
               {.name = "files", .forms = kTexts, .help = "several further files"},
               fraction_key()},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files", "fraction"}}},
      .model = kForStateSpace};
  return table;
}

const TableSpec& state_space_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Records of inputs and outputs: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx "
          ".npy .npz .lvm .wav .tdms.",
      .keys =
          joined(data_file_keys(), {{.name = "inputs",
                                     .forms = kTexts | kTable,
                                     .help = "input = column of the file, or a list of columns",
                                     .required = true,
                                     .table = &state_space_channels_table(true)},
                                    {.name = "outputs",
                                     .forms = kTexts | kTable,
                                     .help = "output = column of the file, or a list of columns",
                                     .required = true,
                                     .table = &state_space_channels_table(false)},
                                    detrend_key(),
                                    validation_key(state_space_validation_table())}),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForStateSpace};
  return table;
}

void add_order_keys(BoundKeys<StateSpaceOptions>& keys) {
  keys.other({.name = "method",
              .forms = kText,
              .help = "what is found",
              .choices = {"state-space"},
              .required = true})
      .key("order", &StateSpaceOptions::order,
           {.help = "states of the subspace start; drift is left out of them",
            .range = within(1.0, 500.0),
            .fallback_note = "chosen on the last part of the record"})
      .key("largest-order", &StateSpaceOptions::largest_order,
           {.help = "largest order that is tried", .range = within(2.0, 500.0)})
      .key("order-step", &StateSpaceOptions::order_step,
           {.help = "from one order to the next", .range = within(1.0, 50.0)})
      .key("hold-out", &StateSpaceOptions::hold_out,
           {.help = "last share of the samples on which orders are compared",
            .range = within(0.1, 0.6)})
      .key("order-tolerance", &StateSpaceOptions::order_tolerance,
           {.help = "the smallest order is taken whose residual there is within this share of the "
                    "least",
            .range = within(0.0, 1.0)})
      .key("horizon", &StateSpaceOptions::horizon,
           {.help = "block rows of past and of future of the subspace start",
            .range = within(3.0, 2000.0),
            .fallback_note = "15, 25 and 40 are tried for up to 6 outputs, else 30; more for slow "
                             "outputs"});
}

void add_model_keys(BoundKeys<StateSpaceOptions>& keys) {
  keys.key("from", &StateSpaceOptions::from_hz,
           {.help = "lower end of the band in which the sensors can be trusted. Poles below 0.8 of "
                    "it, real poles and poles of damping above 0.3 are then left out as drift",
            .unit = "Hz",
            .range = above(0.0),
            .fallback_note = "no pole is taken for drift"})
      .key("to", &StateSpaceOptions::to_hz,
           {.help = "upper end of the band; poles above 1.25 of it are left out",
            .unit = "Hz",
            .range = above(0.0),
            .fallback_note = "half the sampling rate"})
      .key("form", &StateSpaceOptions::form,
           {.help = "innovation: with a Kalman gain; output-error: without"})
      .key(
          "stable", &StateSpaceOptions::stable,
          {.help = "reflect unstable poles of the start and keep all poles inside the unit circle"})
      .key("feedthrough", &StateSpaceOptions::feedthrough,
           {.help = "inputs act on outputs at once (D); accelerations need it"})
      .key("refine", &StateSpaceOptions::refine,
           {.help = "search over the poles by least squares on the simulated outputs"})
      .key("iterations", &StateSpaceOptions::iterations,
           {.help = "of the search, at most", .range = within(1.0, 10000.0)})
      .key("blocks", &StateSpaceOptions::blocks,
           {.help = "parts of the record whose scores give the standard deviations",
            .range = within(4.0, 1000.0)})
      .key("steps-ahead", &StateSpaceOptions::steps_ahead,
           {.help = "samples that predictions look ahead, beside one",
            .range = within(1.0, 100000.0)});
}

const TableSpec& state_space_table() {
  static const TableSpec table{
      .path = "identify",
      .help = "A linear state-space model of inputs and outputs, see state-space.md.",
      .keys = state_space_keys().specs(),
      .model = kForStateSpace};
  return table;
}

}  // namespace

const BoundKeys<StateSpaceOptions>& state_space_keys() {
  static const BoundKeys<StateSpaceOptions> keys = [] {
    BoundKeys<StateSpaceOptions> list;
    add_order_keys(list);
    add_model_keys(list);
    return list;
  }();
  return keys;
}

const TableSpec& state_space_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of a state-space model.",
                               .keys = {title_key(),
                                        author_key(),
                                        customer_key(),
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &state_space_data_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: a state-space model from records",
                                         .required = true,
                                         .table = &state_space_table()}},
                               .model = kForStateSpace};
  return table;
}

}  // namespace alembert::study
