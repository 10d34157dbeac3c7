#include "study/tasks/observe/describe_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace alembert::study {
namespace {

using document::ResultTree;
using estimate::WatchAlarm;
using estimate::WatchedSignal;
using estimate::WatchReport;

ResultTree figure_or_null(double value) {
  return std::isfinite(value) ? ResultTree(value) : ResultTree();
}

std::string unit_of_state(const std::vector<estimate::StateColumn>& states,
                          const std::string& name) {
  const auto found =
      std::find_if(states.begin(), states.end(), [&](const auto& one) { return one.name == name; });
  return found == states.end() ? "" : found->unit;
}

std::string unit_of(const ObserveResult& result, const WatchedSignal& signal) {
  if (signal.sensor < 0) return unit_of_state(result.states, signal.state);
  const auto& sensors = result.study.mechanism->description().sensors;
  return sensor_unit(sensors[static_cast<std::size_t>(signal.sensor)].kind);
}

std::string bounds_words(const WatchedSignal& signal, const std::string& unit) {
  std::string words;
  if (signal.above) words += fmt::format(" above {:.4g} {}", *signal.above, unit);
  if (signal.below) {
    words += fmt::format("{} below {:.4g} {}", words.empty() ? "" : " or", *signal.below, unit);
  }
  return words;
}

void describe_alarm(const WatchAlarm& alarm, ResultTree& tree) {
  tree.add("begin", alarm.begin);
  tree.insert("end", figure_or_null(alarm.end));
  tree.add("onset", alarm.onset);
  tree.add("direction", alarm.direction);
  tree.add("value", alarm.value);
  tree.add("deviation", alarm.deviation);
}

void describe_design(const WatchReport& report, ResultTree& tree) {
  tree.add("rule", name_of(rule_of(report.signal)));
  tree.add("false_alarms_every", report.signal.false_alarms_every);
  tree.insert("change", report.signal.change ? ResultTree(*report.signal.change) : ResultTree());
  tree.add("begun", report.begun);
  const auto designed = [&](double value) {
    return report.begun ? figure_or_null(value) : ResultTree();
  };
  tree.insert("limit", designed(report.design.limit));
  tree.insert("reference", designed(report.design.reference));
  tree.insert("scale", designed(report.design.scale));
  tree.insert("step", designed(report.design.step));
  const bool of_state = report.signal.sensor < 0;
  tree.insert("delay", designed(of_state ? report.delay : report.design.delay));
  tree.insert("longest_delay", designed(report.longest_delay));
  // Asked for, but smaller than what the noise lets see.
  tree.add("seen", !(of_state && std::isinf(report.delay)));
  tree.insert("least_excess", designed(report.least_excess));
}

}  // namespace

std::string watched_words(const model::planar::Mechanism& mechanism,
                          const estimate::KinematicObserverOptions& options,
                          const std::vector<std::string>& states, const WatchedSignal& signal) {
  if (signal.sensor >= 0) {
    const auto sensor = static_cast<std::size_t>(signal.sensor);
    return "innovations of " + mechanism.description().sensors[sensor].name;
  }
  const std::string unit =
      unit_of_state(estimate::state_columns(mechanism, options, states), signal.state);
  return signal.state + bounds_words(signal, unit);
}

void describe_watch(const ObserveResult& result, ResultTree& list) {
  for (const WatchReport& report : result.watch) {
    ResultTree& one = list.item();
    one.add("name", report.signal.name);
    one.add("watched", watched_words(*result.study.mechanism, result.study.options,
                                     result.estimate.names, report.signal));
    one.add("unit", unit_of(result, report.signal));
    describe_design(report, one);
    one.add("from", report.from);
    one.add("values", report.values);
    ResultTree& alarms = one.list("alarms");
    for (const WatchAlarm& alarm : report.alarms) describe_alarm(alarm, alarms.item());
  }
}

}  // namespace alembert::study
