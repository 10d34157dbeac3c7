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
        "One or two keys of [model], [simulate], [identify] or [data] by their dotted path, each "
        "with a list of values; all combinations are run. For example "
        "simulate.sensors.all.snr = [10.0, 20.0, 40.0] or identify.refine = [\"exact\", \"none\"].";
    table.any_name = &any;
  }
};

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
          "Simulates with [simulate], identifies with [identify], and holds the result against "
          "[model], which is the truth; many times. The sensors of [simulate] are the data; a "
          "force sensor at one input stands for that input.",
      .keys = monte_carlo_keys().specs()};
  return table;
}

}  // namespace alembert::study
