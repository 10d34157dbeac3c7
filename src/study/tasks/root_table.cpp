#include "study/tasks/root_table.hpp"

#include <algorithm>

#include "study/parts/data/tables_data.hpp"
#include "study/parts/linear/tables_model.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/registry.hpp"

namespace alembert::study {
namespace {

std::vector<KeySpec> root_keys() {
  std::vector<KeySpec> keys = {title_key(),
                               author_key(),
                               customer_key(),
                               {.name = "data",
                                .forms = kTable,
                                .help = "what was measured",
                                .required_by = "identify",
                                .table = &data_table()},
                               {.name = "model",
                                .forms = kTable,
                                .help = "what moves",
                                .required = true,
                                .table = &model_table()}};
  for (const Task& task : tasks()) keys = joined(std::move(keys), task.root_keys);
  keys.push_back({.name = "truth",
                  .forms = kTable,
                  .help = "the true matrices of a simulated system, to compare with",
                  .tasks = {"identify"},
                  .table = &truth_table()});
  return keys;
}

// A table and all those inside it, each once.
void collect_tables(const TableSpec& table, std::vector<const TableSpec*>& tables) {
  if (std::find(tables.begin(), tables.end(), &table) != tables.end()) return;
  tables.push_back(&table);
  for (const KeySpec& key : table.keys) {
    if (key.table != nullptr) collect_tables(*key.table, tables);
  }
  if (table.any_name != nullptr && table.any_name->table != nullptr) {
    collect_tables(*table.any_name->table, tables);
  }
}

}  // namespace

const TableSpec& root_table() {
  static const TableSpec table{
      .path = "",
      .help = "A study: what was measured, what moves, and exactly one task.",
      .keys = root_keys(),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne,
                 .keys = task_tables(),
                 .what = "task table:",
                 .unless = "monte-carlo"},
                {.kind = KeyRule::Kind::Needs, .keys = {"monte-carlo", "simulate"}},
                {.kind = KeyRule::Kind::Needs, .keys = {"monte-carlo", "identify"}}}};
  return table;
}

std::vector<const TableSpec*> all_tables() {
  std::vector<const TableSpec*> tables;
  collect_tables(root_table(), tables);
  for (const Task& task : study::tasks()) {
    for (const TableSpec* root : task.roots) {
      for (const KeySpec& key : root->keys) {
        if (key.table != nullptr) collect_tables(*key.table, tables);
      }
    }
  }
  return tables;
}

}  // namespace alembert::study
