#pragma once

#include <string>
#include <vector>

#include "study/tasks/task.hpp"

namespace alembert::study {

/// All tasks, in the order of the documents.
[[nodiscard]] const std::vector<Task>& tasks();

/// Names of the task tables, in the same order.
[[nodiscard]] std::vector<std::string> task_tables();

/// The task that a document asks for: its table is there, and it takes the tables of other tasks
/// that are there too. nullptr if there is none or more than one.
[[nodiscard]] const Task* find_task(const Value& root);

/// The keys of a document: those of its task, or what any study may have if it asks for none.
[[nodiscard]] const TableSpec& schema_of(const Value& root, const Task* task);

}  // namespace alembert::study
