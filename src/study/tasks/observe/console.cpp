#include "study/tasks/observe/console.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void print_observe_heading(const ObserveStudy& study, Console& console) {
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study",
                mechanism_words(*study.mechanism), counted(study.mechanism->sensors(), "sensor"),
                study.time.size(), 1.0 / study.time.median_step());
}

std::string observer_words(const ObserveStudy& study) {
  const estimate::KinematicObserverOptions& options = study.options;
  const auto words = [&](std::string_view model) {
    return fmt::format("{}, {} form, {}{}", name_of(options.filter), name_of(options.form), model,
                       study.options.smooth ? ", smoothed" : "");
  };
  switch (options.form) {
    case estimate::ObserverForm::Output:
      return words(name_of(options.output.motion));
    case estimate::ObserverForm::Input:
      return words(name_of(options.input.scheme));
    case estimate::ObserverForm::Dynamic:
      return words(options.heun ? "heun" : "euler");
    case estimate::ObserverForm::TwoStage:
      break;
  }
  return words(fmt::format("motion by {}s, forces by {}", name_of(options.stages.motion),
                           name_of(options.stages.direction)));
}

// How well a noise level is known.
std::string factor_words(double log_deviation) {
  if (!std::isfinite(log_deviation)) return "how well is not known";
  return fmt::format("times or over {:.2f}", std::exp(log_deviation));
}

// Nothing was scored: no deviation.
double mean_deviation(const ResultTree& state, const std::string& key) {
  const ResultTree& mean = state.at(key);
  return mean.kind() == ResultTree::Kind::Null ? 0.0 : mean.number();
}

void print_states(const ResultTree& states, bool smoothed, Console& console) {
  console.print("  {:<10} {:<28} {:>12} {:>10}\n", "states", "mean standard deviation", "filtered",
                smoothed ? "smoothed" : "");
  for (const ResultTree& state : states.entries()) {
    console.print(
        "  {:<10} {:<28} {:>12.3g} {:>10} {}\n", "", state.text("name"),
        mean_deviation(state, "mean_deviation"),
        smoothed ? fmt::format("{:.3g}", mean_deviation(state, "smoothed_deviation")) : "",
        state.text("unit"));
  }
}

void print_fitted(const ResultTree& observer, Console& console) {
  const ResultTree* const fitted = observer.find("fitted");
  if (fitted == nullptr) return;
  for (const ResultTree& level : fitted->entries()) {
    console.step("noise",
                 fmt::format("{} = {:.3g}, found from the readings ({})", level.text("name"),
                             level.number("value"), factor_words(level.number("log_deviation"))));
  }
}

// Noise levels that were followed, as they were in the end.
void print_adapted(const ResultTree& observer, const estimate::ObserverAdaptOptions& adapt,
                   Console& console) {
  const ResultTree& adapted = observer.at("adapted");
  if (adapted.kind() == ResultTree::Kind::Null) return;
  if (adapt.process) {
    console.step("adapted",
                 fmt::format("density times {:.3g} at the end", adapted.number("density_factor")));
  }
  if (!adapt.outputs) return;
  for (const ResultTree& sigma : adapted.at("sigma").entries()) {
    console.step("adapted",
                 fmt::format("sigma of {} = {:.3g} at the end", sigma.key(), sigma.number()));
  }
}

void print_innovation(const ResultTree& consistency, Console& console) {
  const ResultTree* const nis = consistency.find("nis");
  if (nis == nullptr) return;
  const char* const word = !consistency.at("good").boolean()      ? "not consistent"
                           : consistency.at("cautious").boolean() ? "on the safe side"
                                                                  : "consistent";
  console.step("innovation", fmt::format("mean NIS {:.3g}, expected {:.3g}; {}",
                                         nis->number("mean"), nis->number("expected"), word));
}

std::string alarm_words(const ResultTree& alarm, const std::string& unit) {
  const ResultTree& end = alarm.at("end");
  const std::string value = fmt::format("{:.4g} +- {:.2g}{}", alarm.number("value"),
                                        alarm.number("deviation"), unit.empty() ? "" : " " + unit);
  return fmt::format("ALARM at {:.6g} s{}: {}", alarm.number("begin"),
                     end.is_null() ? ", lasts" : fmt::format(" until {:.6g} s", end.number()),
                     value);
}

// What is watched, then its alarms, if need be not all of them.
void print_watch(const ResultTree& watch, Console& console) {
  constexpr std::size_t kMostAlarms = 4;
  for (const ResultTree& one : watch.entries()) {
    const std::vector<ResultTree>& alarms = one.at("alarms").entries();
    const std::string name = fmt::format("{}: {}", one.text("name"), one.text("watched"));
    console.step("watch", alarms.empty() ? name + ": no alarm" : name);
    for (std::size_t i = 0; i < std::min(alarms.size(), kMostAlarms); ++i) {
      console.step("", alarm_words(alarms[i], one.text("unit")));
    }
    if (alarms.size() > kMostAlarms) {
      console.step("", fmt::format("and {} more", alarms.size() - kMostAlarms));
    }
  }
}

// Errors against the truth, where it is given.
void print_truth(const ResultTree& truth, Console& console) {
  if (truth.is_null()) return;
  for (const ResultTree& state : truth.at("states").entries()) {
    console.step("truth",
                 fmt::format("{}: rms error {:.3g}, reported {:.3g} {}, NEES {:.3g} of 1",
                             state.text("name"), state.number("rms"), state.number("reported"),
                             state.text("unit"), state.number("nees/mean")));
  }
  const ResultTree& joint = truth.at("nees");
  console.step(
      "truth",
      fmt::format("all together: NEES {:.3g} of {:.0f}, 95 % within {:.3g} to {:.3g} ({:.0f} "
                  "independent samples); {}",
                  joint.number("mean"), joint.number("expected"), joint.number("lower"),
                  joint.number("upper"), joint.number("effective_samples"),
                  joint.at("consistent").boolean()               ? "consistent"
                  : joint.number("mean") < joint.number("lower") ? "on the safe side"
                                                                 : "not consistent"));
}

void print_observation(const ObserveResult& result, Console& console) {
  const ResultTree tree = describe(result);
  console.step("observe", observer_words(result.study), seconds_text(result.seconds));
  print_fitted(tree.at("observer"), console);
  print_adapted(tree.at("observer"), result.study.options.adapt, console);
  print_states(tree.at("states"), result.study.options.smooth, console);
  print_innovation(tree.at("consistency"), console);
  print_watch(tree.at("watch"), console);
  print_truth(tree.at("truth"), console);
  if (result.estimate.rejected > 0) {
    console.step("gate", fmt::format("{} of {} samples kept out", result.estimate.rejected,
                                     result.estimate.mean.rows()));
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.verdict.reasons);
}

}  // namespace

std::string observe_heading(const ObserveStudy& study) {
  Console console;
  print_observe_heading(study, console);
  return console.text();
}

std::string observe_console(const ObserveResult& result) {
  Console console;
  print_observation(result, console);
  return console.text();
}

}  // namespace alembert::study
