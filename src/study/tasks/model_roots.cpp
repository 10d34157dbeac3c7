#include "study/tasks/model_roots.hpp"

#include "study/parts/equations/tables_equations.hpp"
#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/parts/mechanism/tables_mechanism_data.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/mechanism_fit/mechanism_fit_keys.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "study/tasks/output_error/tables_output_error.hpp"
#include "study/tasks/simulate/flexible_motion/tables_flexible_simulate.hpp"
#include "study/tasks/simulate/tables_equation_simulate.hpp"
#include "study/tasks/simulate/tables_mechanism_simulate.hpp"

namespace alembert::study {

const TableSpec& equation_root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study with a model given as equations.",
      .keys = {title_key(),
               author_key(),
               customer_key(),
               {.name = "data",
                .forms = kTable,
                .help = "what was measured",
                .required_by = "identify",
                .table = &equation_data_table()},
               {.name = "model",
                .forms = kTable,
                .help = "what moves",
                .required = true,
                .table = &equation_model_table()},
               {.name = "simulate",
                .forms = kTable,
                .help = "task: the response, and what real sensors would give",
                .table = &equation_simulate_table()},
               {.name = "identify",
                .forms = kTable,
                .help = "task: parameters of the equations",
                .table = &output_error_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne,
                 .keys = {"simulate", "identify"},
                 .what = "task table:"}},
      .model = kForEquations};
  return table;
}

bool has_equations(const Value& root) {
  const Entry* model = root.find("model");
  return model != nullptr && model->value.find("equations") != nullptr;
}

const TableSpec& mechanism_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of a mechanism.",
                               .keys = {title_key(),
                                        author_key(),
                                        customer_key(),
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &mechanism_data_table()},
                                        {.name = "mechanism",
                                         .forms = kTable,
                                         .help = "what moves",
                                         .required = true,
                                         .table = &mechanism_table()},
                                        {.name = "simulate",
                                         .forms = kTable,
                                         .help = "task: what the sensors would record of a motion",
                                         .table = &mechanism_simulate_table()},
                                        {.name = "observe",
                                         .forms = kTable,
                                         .help = "task: positions, velocities and accelerations",
                                         .table = &observe_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: masses, friction, lengths, motor constants",
                                         .table = &mechanism_fit_table()}},
                               .rules = {{.kind = KeyRule::Kind::AtLeastOne,
                                          .keys = {"simulate", "observe", "identify"},
                                          .what = "of the task tables"}},
                               .model = kForMechanisms};
  return table;
}

const TableSpec& flexible_root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study of a mechanism with flexible bodies.",
      .keys = {title_key(),
               {.name = "data",
                .forms = kTable,
                .help = "the sensors",
                .required = true,
                .table = &flexible_data_table()},
               {.name = "mechanism",
                .forms = kTable,
                .help = "what moves",
                .required = true,
                .table = &mechanism_table()},
               {.name = "simulate",
                .forms = kTable,
                .help = "task: modes, motion and what the sensors would record",
                .required = true,
                .table = &flexible_simulate_table()}},
      .model = kForFlexible};
  return table;
}

}  // namespace alembert::study
