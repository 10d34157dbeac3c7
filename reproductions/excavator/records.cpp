#include "reproductions/excavator/records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/distributed.hpp"
#include "alembert/core/error.hpp"
#include "alembert/study/study.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::excavator {
namespace {

constexpr double kPull = 35000.0;  // N, the limit of alarm.toml

study::Experiment simulated(long long seed) {
  const study::LoadedStudy loaded = study::load_study_text(study_text("excavator/simulate.toml"),
                                                           "simulate.toml", {.seed = seed});
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines alone;
  study::SimulateResult made =
      run_simulate(*loaded.as<study::SimulateStudy>(), alone, {.threads = 1});
  return std::move(made.experiments.front());
}

// From the first sample with the pull on: later than the estimate can know, never earlier.
double pull_begins(const signal::Record& truth) {
  const Eigen::VectorXd pull = truth.values("force_dig_x");
  for (Eigen::Index k = 0; k < pull.size(); ++k) {
    if (pull(k) > kPull) return truth.time()[k];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double rms_of(const study::ObserveResult& result, const std::string& name) {
  for (const estimate::StateError& one : result.truth->states) {
    if (result.states[static_cast<std::size_t>(one.state)].name == name) return one.rms;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Errors errors_on(const ObserverCase& one, const study::Experiment& made) {
  const study::LoadedStudy loaded = study::load_study_text(
      study_text(one.study), "observe.toml",
      {.overrides = one.changes,
       .records = {{"record.csv", {made.record}}, {"truth.csv", {made.truth}}}});
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const study::ObserveResult result = run_observe(*loaded.as<study::ObserveStudy>());
  Errors errors{.dig_x = rms_of(result, "force(dig_x)"),
                .dig_y = rms_of(result, "force(dig_y)"),
                .payload = rms_of(result, "force(payload)"),
                .nees = result.truth->joint.average / result.truth->joint.expected,
                .good = result.verdict.level == TrustLevel::Good,
                .alarm = std::numeric_limits<double>::quiet_NaN()};
  if (result.watch.empty() || result.watch.front().alarms.empty()) return errors;
  const double begins = pull_begins(made.truth);
  const std::vector<estimate::WatchAlarm>& alarms = result.watch.front().alarms;
  errors.alarm = alarms.front().begin - begins;
  errors.early = static_cast<int>(
      std::count_if(alarms.begin(), alarms.end(),
                    [&](const estimate::WatchAlarm& alarm) { return alarm.begin < begins; }));
  return errors;
}

}  // namespace

std::vector<Errors> errors_of(const std::vector<ObserverCase>& cases, long long seed) {
  const study::Experiment made = simulated(seed);
  std::vector<Errors> all;
  for (const ObserverCase& one : cases) all.push_back(errors_on(one, made));
  return all;
}

}  // namespace alembert::reproductions::excavator
