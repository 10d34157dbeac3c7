#include "study/parts/conditioning/condition_keys.hpp"

namespace alembert::study {
namespace {

using signal::ConditionOptions;
using signal::FilterOptions;

const TableSpec& filter_table() {
  static const TableSpec table{
      .path = "data.filter",
      .help =
          "A Butterworth filter forwards and backwards over all columns, without delay; its gain "
          "at a "
          "corner is 1/2.",
      .keys = filter_keys().specs(),
      .rules = {{.kind = KeyRule::Kind::AtLeastOne, .keys = {"above", "below"}}}};
  return table;
}

}  // namespace

const BoundKeys<FilterOptions>& filter_keys() {
  static const auto keys =
      BoundKeys<FilterOptions>()
          .key("above", &FilterOptions::above,
               {.help = "frequencies above this pass",
                .unit = "Hz",
                .range = at_least(0.0),
                .fallback_note = "no limit"})
          .key("below", &FilterOptions::below,
               {.help = "frequencies below this pass",
                .unit = "Hz",
                .range = at_least(0.0),
                .fallback_note = "no limit"})
          .key("order", &FilterOptions::order,
               {.help = "of each of the two runs", .range = within(1.0, 12.0)});
  return keys;
}

const BoundKeys<ConditionOptions>& condition_keys() {
  static const auto keys =
      BoundKeys<ConditionOptions>()
          .key("spikes", &ConditionOptions::spikes,
               {.help = "what becomes of samples that are 20 times as far off as any other",
                .fallback_note = "keep and say so; bridge where only responses are read"})
          .key("from", &ConditionOptions::from,
               {.help = "time of the first sample that is used",
                .unit = "s",
                .fallback_note = "the first"})
          .key("to", &ConditionOptions::to,
               {.help = "time of the last sample that is used",
                .unit = "s",
                .fallback_note = "the last"})
          .key("every", &ConditionOptions::every,
               {.help = "every so many samples stay, behind a low pass", .range = within(1.0, 1e6)})
          .key("resample", &ConditionOptions::resample,
               {.help = "new step, behind a low pass; uneven times become even",
                .unit = "s",
                .range = above(0.0),
                .fallback_note = "as it is"})
          .key("jitter", &ConditionOptions::jitter,
               {.help = "part of a step by which times may lie off an even grid and are taken for "
                        "it",
                .range = within(0.0, 0.5),
                .fallback_note = "0: times that are even within 1e-3"});
  return keys;
}

std::vector<KeySpec> condition_specs() {
  std::vector<KeySpec> specs = condition_keys().specs();
  specs.push_back({.name = "filter",
                   .forms = kTable,
                   .help = "what passes, for example { above = 0.5, below = 40 }",
                   .fallback_note = "none",
                   .table = &filter_table()});
  return specs;
}

signal::ConditionOptions read_condition(const TableReader& table) {
  ConditionOptions options = condition_keys().read(table);
  if (table.has("filter")) options.filter = filter_keys().read(table.table("filter"));
  return options;
}

}  // namespace alembert::study
