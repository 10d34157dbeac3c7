#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"

namespace alembert::study {
namespace {

// Dotted keys make tables inside tables, so that the table describes itself.
struct SweepTable {
  KeySpec any;
  TableSpec table;

  SweepTable() {
    any.name = "KEY";
    any.forms = kList | kTable;
    any.help = "values of this key of the study, written as there";
    any.table = &table;
    table.path = "monte-carlo.sweep";
    table.help =
        "One or two keys of the study by their dotted path, each with a list of values; all "
        "combinations are run. Where the simulated study is a file of its own, keys of [simulate] "
        "and those after \"simulated.\" are of that study. For example "
        "simulate.sensors.all.snr = [10.0, 20.0, 40.0] or identify.refine = [\"exact\", \"none\"].";
    table.any_name = &any;
  }
};

const TableSpec& known_truth_table() {
  static const KeySpec any{
      .name = "NAME", .forms = kNumber, .help = "true value of the parameter NAME"};
  static const TableSpec table{
      .path = "monte-carlo.truth",
      .help =
          "True values of parameters that the simulated study names otherwise, such as start "
          "values; "
          "those of simulate.parameters and model.constants are known by their names.",
      .any_name = &any};
  return table;
}

const TableSpec& sweep_table() {
  static const SweepTable sweep;
  return sweep.table;
}

}  // namespace

const BoundKeys<MonteCarloStudy>& monte_carlo_keys() {
  static const auto keys = BoundKeys<MonteCarloStudy>()
                               .key("runs", &MonteCarloStudy::runs,
                                    {.help = "for each combination of the swept values",
                                     .range = within(1.0, 1e6),
                                     .required = true})
                               .key("seed", &MonteCarloStudy::seed,
                                    {.help = "run r draws the same numbers for all swept values",
                                     .range = at_least(0.0)})
                               .other({.name = "simulate",
                                       .forms = kText,
                                       .help = "study whose [simulate] makes the record of every "
                                               "run in place of record.csv in [data]",
                                       .fallback_note = "[simulate] of this study"})
                               .other({.name = "truth",
                                       .forms = kTable,
                                       .help = "true values of parameters",
                                       .fallback_note = "those of the simulated study",
                                       .table = &known_truth_table()})
                               .other({.name = "sweep",
                                       .forms = kTable,
                                       .help = "keys that change",
                                       .fallback_note = "none",
                                       .table = &sweep_table()});
  return keys;
}

const TableSpec& monte_carlo_table() {
  static const TableSpec table{
      .path = "monte-carlo",
      .help =
          "Simulates with [simulate], does the task of the study on the record, and holds what it "
          "finds against the truth; many times. With M, D, K in [model], which is the truth, the "
          "sensors of [simulate] are the data; a force sensor at one input stands for that input. "
          "With equations [data] says which columns of the simulated record are used.",
      .keys = monte_carlo_keys().specs()};
  return table;
}

}  // namespace alembert::study
