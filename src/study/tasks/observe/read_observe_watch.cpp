#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/observe_part_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"

namespace alembert::study {
namespace {

using estimate::WatchedSignal;

// It becomes the name of a column.
void check_watch_name(const TableReader& all, const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), fits)) return;
  all.fail_at_key(
      name, fmt::format("{}: a name must have letters, digits, _ and - only", all.name(name)));
}

int sensor_named(const TableReader& table, const ObserveStudy& study) {
  const std::string name = table.text("sensor");
  const std::vector<std::string> names =
      mapped(study.mechanism->description().sensors, [](const auto& one) { return one.name; });
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  table.fail("sensor", fmt::format("names \"{}\", which is no sensor of [data.sensors]{}", name,
                                   suggestion(name, names)));
}

WatchedSignal read_signal(const TableReader& all, const std::string& name,
                          const ObserveStudy& study) {
  check_watch_name(all, name);
  const TableReader table = all.table(name);
  WatchedSignal signal{.name = name};
  observe_watch_keys().read(table, signal);
  if (table.has("sensor")) signal.sensor = sensor_named(table, study);
  observe_watch_keys().refuse_unused(table, signal);
  try {
    (void)estimate::SignalWatch(signal);
  } catch (const InvalidInput& error) {
    all.fail_at_key(name, "observe: " + error.reason());
  }
  return signal;
}

// Columns that a stream or estimates.csv knows, for each state.
std::vector<estimate::StateColumn> columns_of(const ObserveStudy& study) {
  return estimate::state_columns(*study.mechanism, study.options,
                                 estimate::estimated_states(study.mechanism, study.options));
}

void check_state(const TableReader& table, const std::vector<estimate::StateColumn>& states,
                 WatchedSignal& signal) {
  const auto found = std::find_if(states.begin(), states.end(), [&](const auto& one) {
    return one.name == signal.state || one.column == signal.state;
  });
  if (found != states.end()) {
    signal.state = found->name;
    return;
  }
  const std::vector<std::string> names = mapped(states, [](const auto& one) { return one.name; });
  table.fail("state",
             fmt::format("names \"{}\", which is not estimated{}; there are {}", signal.state,
                         suggestion(signal.state, names), fmt::join(names, ", ")));
}

// Sensors that the innovations of this form have no column for.
bool drives_the_model(const ObserveStudy& study, int sensor) {
  const estimate::ObserveOptions& options = study.options;
  if (options.form == estimate::ObserverForm::Dynamic) {
    return study.mechanism->force_read_by(sensor) >= 0;
  }
  if (estimate::motion_form(options) != estimate::ObserverForm::Input) return false;
  return std::find(options.input.outputs.begin(), options.input.outputs.end(), sensor) ==
         options.input.outputs.end();
}

}  // namespace

void read_observe_watch(const TableReader& observe, ObserveStudy& study) {
  const TableReader all = observe.table("watch");
  for (const std::string& name : all.keys()) {
    study.options.watch.push_back(read_signal(all, name, study));
  }
}

void check_observe_watch(const TableReader& observe, ObserveStudy& study) {
  if (study.options.watch.empty()) return;
  const std::vector<estimate::StateColumn> states = columns_of(study);
  for (WatchedSignal& signal : study.options.watch) {
    const TableReader table = observe.table("watch").table(signal.name);
    if (signal.sensor < 0) {
      check_state(table, states, signal);
    } else if (drives_the_model(study, signal.sensor)) {
      table.fail("sensor", "names a sensor that drives the model: it has no innovations");
    }
  }
}

}  // namespace alembert::study
