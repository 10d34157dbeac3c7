#include "study/tasks/registry.hpp"

#include <algorithm>

#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/tasks/acceleration/task.hpp"
#include "study/tasks/frf/task.hpp"
#include "study/tasks/identify/task.hpp"
#include "study/tasks/mechanism_fit/task.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/modes/task.hpp"
#include "study/tasks/monte_carlo/repeat/task.hpp"
#include "study/tasks/monte_carlo/task.hpp"
#include "study/tasks/observe/task.hpp"
#include "study/tasks/output_error/task.hpp"
#include "study/tasks/reduce/task.hpp"
#include "study/tasks/root_table.hpp"
#include "study/tasks/simulate/task.hpp"
#include "study/tasks/state_space/task.hpp"

namespace alembert::study {
namespace {

// The tables of all tasks that a document has.
std::vector<std::string> present_tables(const Value& root) {
  std::vector<std::string> present = task_tables();
  std::erase_if(present, [&](const std::string& table) { return root.find(table) == nullptr; });
  return present;
}

}  // namespace

const std::vector<Task>& tasks() {
  // The general task of a table comes before those that `matches` picks out of it.
  static const std::vector<Task> all = {
      simulate_task(),       //
      identify_task(),       //
      output_error_task(),   //
      acceleration_task(),   //
      modes_task(),          //
      frf_task(),            //
      state_space_task(),    //
      monte_carlo_task(),    //
      observe_task(),        //
      mechanism_fit_task(),  //
      repeat_task(),         //
      reduce_task(),         //
  };
  return all;
}

std::vector<std::string> task_tables() {
  std::vector<std::string> tables;
  for (const Task& task : tasks()) {
    if (std::find(tables.begin(), tables.end(), task.table) == tables.end()) {
      tables.push_back(task.table);
    }
  }
  return tables;
}

const Task* find_task(const Value& root) {
  const bool several = present_tables(root).size() > 1;
  const auto is_asked_for = [&](const Task& task) {
    if (root.find(task.table) == nullptr) return false;
    if (several && (task.takes_others == nullptr || !task.takes_others(root))) return false;
    return task.matches == nullptr || task.matches(root);
  };
  const auto found = std::find_if(tasks().rbegin(), tasks().rend(), is_asked_for);
  return found == tasks().rend() ? nullptr : &*found;
}

const TableSpec& schema_of(const Value& root, const Task* task) {
  // A mechanism has keys of its own, whatever is asked for.
  const bool repeats = task != nullptr && task->repeats;
  if (root.find("mechanism") != nullptr && !repeats) {
    const bool alone = root.find("observe") == nullptr && root.find("identify") == nullptr;
    return alone && has_flexible_bodies(root) ? flexible_root_table() : mechanism_root_table();
  }
  return task == nullptr ? root_table() : task->schema(root);
}

}  // namespace alembert::study
