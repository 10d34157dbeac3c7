#include "alembert/study/detail/keys.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/linear/tables_model.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {

std::vector<std::string> task_names() { return {"simulate", "identify", "monte-carlo", "observe"}; }

const TableSpec& root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study: what was measured, what moves, and exactly one task.",
      .keys = {title_key(),
               {.name = "data",
                .forms = kTable,
                .help = "what was measured",
                .required_by = "identify",
                .table = &data_table()},
               {.name = "model",
                .forms = kTable,
                .help = "what moves",
                .required = true,
                .table = &model_table()},
               {.name = "simulate",
                .forms = kTable,
                .help = "task: the response, and what real sensors would give",
                .table = &simulate_table()},
               {.name = "sensors",
                .forms = kTable,
                .help = "what the measured outputs are",
                .tasks = {"identify"},
                .table = &output_sensors_table()},
               {.name = "identify",
                .forms = kTable,
                .help =
                    "task: M, D and K, or parameters of equations, from records, with intervals",
                .table = &identify_table()},
               {.name = "monte-carlo",
                .forms = kTable,
                .help = "task: errors and intervals of [identify] on many runs of [simulate]",
                .table = &monte_carlo_table()},
               {.name = "mechanism",
                .forms = kTable,
                .help = "bodies and joints, in place of [model]",
                .required_by = "observe",
                .tasks = {"observe", "simulate"},
                .table = &mechanism_table()},
               {.name = "observe",
                .forms = kTable,
                .help = "task: positions, velocities and accelerations of a mechanism",
                .table = &observe_table()},
               {.name = "truth",
                .forms = kTable,
                .help = "the true matrices of a simulated system, to compare with",
                .tasks = {"identify"},
                .table = &truth_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne,
                 .keys = task_names(),
                 .what = "task table:",
                 .unless = "monte-carlo"},
                {.kind = KeyRule::Kind::Needs, .keys = {"monte-carlo", "simulate"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"monte-carlo", "identify"}}}};
  return table;
}

}  // namespace alembert::study
