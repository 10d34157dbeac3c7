#include "alembert/study/task.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "alembert/study/detail/toml.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "study/tasks/registry.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace task_test {

// The table of the task that a document asks for, "" for none.
std::string table_of(const std::string& text) {
  const Document document = parse_toml(text, "s");
  const Task* task = find_task(document.root);
  return task == nullptr ? "" : task->table;
}

// The first kind of template of the task, which tells tasks of one table apart.
std::string kind_of(const std::string& text) {
  const Document document = parse_toml(text, "s");
  return find_task(document.root)->templates.front().kind.name;
}

TEST(FindTask, IsTheOnlyTaskTable) {
  EXPECT_EQ(table_of("[simulate]"), "simulate");
  EXPECT_EQ(table_of("[identify]"), "identify");
  EXPECT_EQ(table_of("[monte-carlo]"), "monte-carlo");
  EXPECT_EQ(table_of("[simulate]\n[identify]\n[monte-carlo]"), "monte-carlo");
  EXPECT_EQ(table_of("[observe]"), "observe");
  EXPECT_EQ(table_of("[model]"), "");
  EXPECT_EQ(table_of("[simulate]\n[identify]"), "");
}

TEST(FindTask, TellsTheWaysToIdentifyApart) {
  EXPECT_EQ(kind_of("[identify]"), "identify");
  EXPECT_EQ(kind_of("[identify]\nmethod = \"output-error\""), "output-error");
  EXPECT_EQ(kind_of("[model]\nequations = \"x' = 1\"\n[identify]"), "output-error");
  EXPECT_EQ(kind_of("[model]\nequations = \"x' = 1\"\n[identify]\nmethod = \"acceleration\""),
            "acceleration");
}

TEST(FindTask, ObservesAMechanismWithARecordAndSimulatesItWithout) {
  const std::string both = "[mechanism]\n[simulate]\nmotion = {}\n[observe]\n";
  EXPECT_EQ(table_of(both), "simulate");
  EXPECT_EQ(table_of(both + "[data]\nfile = \"a.csv\""), "observe");
  EXPECT_EQ(table_of(both + "[data.sensors.s]\nfile = \"a.csv\""), "observe");
  EXPECT_EQ(table_of("[mechanism]\n[simulate]\n[observe]"), "");
}

TEST(Tasks, EachCanBeReadAndHasATemplateOfItsOwnName) {
  std::set<std::string> kinds;
  for (const Task& task : tasks()) {
    EXPECT_NE(task.read, nullptr) << task.table;
    EXPECT_NE(task.schema, nullptr) << task.table;
    ASSERT_FALSE(task.templates.empty()) << task.table;
    for (const TaskTemplate& one : task.templates) {
      EXPECT_TRUE(kinds.insert(one.kind.name).second) << one.kind.name;
    }
  }
}

TEST(LoadedStudy, IsTheStructOfItsTaskAlone) {
  const LoadedStudy loaded = load_study_text(test::kTwoMasses, "two.toml");
  ASSERT_NE(loaded.as<SimulateStudy>(), nullptr);
  EXPECT_EQ(loaded.as<SimulateStudy>()->title, "Two masses");
  EXPECT_EQ(loaded.as<IdentifyStudy>(), nullptr);
}

TEST(TaskStudy, RunsAndSaysWhatItFound) {
  const LoadedStudy loaded = load_study_text(test::kTwoMasses, "two.toml");
  ASSERT_NE(loaded.study, nullptr);
  EXPECT_EQ(loaded.study->heading(),
            "Two masses\n  study      2 degrees of freedom, 2 forces, 2 sensors, 400 samples at "
            "100 Hz\n");
  const Machines machines;
  const std::unique_ptr<TaskResult> result = loaded.study->run({.machines = machines});
  EXPECT_TRUE(result->outcome().ok());
  ASSERT_NE(result->as<SimulateResult>(), nullptr);
  EXPECT_EQ(result->as<SimulateResult>()->experiments.size(), 1U);
  EXPECT_EQ(result->as<IdentifyResult>(), nullptr);
  EXPECT_EQ(result->console().rfind("  model      M, D, K positive definite\n", 0), 0U);
}

// Nothing that was finished is lost, and the message says so.
TEST(TaskStudy, StopsOnRequest) {
  const LoadedStudy loaded = load_study_text(test::kTwoMasses, "two.toml");
  const Machines machines;
  StopFlag stop;
  stop.request();
  const std::unique_ptr<TaskResult> result =
      loaded.study->run({.machines = machines, .options = {.stop = &stop}});
  EXPECT_EQ(result->outcome().status, Status::Stopped);
  EXPECT_FALSE(result->has_parts());
  EXPECT_FALSE(result->failure().empty());
}

}  // namespace task_test
}  // namespace alembert::study
