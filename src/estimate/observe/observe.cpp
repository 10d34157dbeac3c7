#include "alembert/estimate/observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/force/force_sight.hpp"
#include "alembert/estimate/force/two_stage.hpp"
#include "estimate/observe/fit_force_stage.hpp"
#include "estimate/observe/fit_noise.hpp"
#include "estimate/observe/observe_evidence.hpp"
#include "estimate/observe/observe_warnings.hpp"
#include "estimate/observe/watch_observation.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Times = Eigen::Ref<const VectorXd>;
using Readings = Eigen::Ref<const MatrixXd>;

constexpr const char* kObserve = "observe";

void check_arguments(const model::planar::Mechanism& mechanism, const Times& time,
                     const Readings& readings) {
  check::at_least(kObserve, "samples", time.size(), 2);
  check::all_finite(kObserve, "time", time);
  check::shape(kObserve, "readings", readings, time.size(), mechanism.sensors());
}

void check_readings(const model::planar::Mechanism& mechanism, const Readings& readings) {
  const DoubtfulSensor found = doubtful_sensor(mechanism, readings);
  if (found.sensor < 0) return;
  const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(found.sensor)];
  throw InvalidInput({.function = kObserve,
                      .argument = "readings of " + sensor.name,
                      .rule = found.rule,
                      .value = found.reading});
}

void check_all_known(const model::planar::Mechanism& mechanism, const RecordStart& found) {
  const auto& coordinates = mechanism.description().coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (found.coordinates[i].known) continue;
    throw InvalidInput({.function = kObserve,
                        .argument = "start.z",
                        .rule = "must be given where no sensor reads a coordinate itself",
                        .value = model::planar::to_string(coordinates[i])});
  }
}

// Takes from the first readings what is not given of the start. Returns the sample of the start.
Index begin(const Times& time, const Readings& readings, ObserveResult& result) {
  ObserveOptions& options = result.options;
  if (options.given.all()) return 0;
  RecordStart found = start_from_readings(*result.mechanism, time, readings);
  // Where positions are given and the readings begin later, these are of another time.
  if (options.given.coordinates && found.first > 0) return 0;
  if (!options.given.coordinates) {
    check_all_known(*result.mechanism, found);
    (void)settle_turns(*result.mechanism, time, readings, found);
  }
  take_start(found, options.given, options.start);
  return found.first;
}

// Noise levels take a hundred passes over the record: with fewer samples compiling takes longer
// than it saves.
constexpr Index kWorthCompiling = 1000;

void compile_mechanism(Index samples, ObserveResult& result) {
  ObserveOptions& options = result.options;
  const bool joint = options.form == ObserverForm::Output && options.output.forces;
  const bool of_use = motion_form(options) != ObserverForm::Input && !joint;
  if (options.output.compiled || samples < kWorthCompiling || !of_use) return;
  const bool dynamic = options.form == ObserverForm::Dynamic;
  options.output.compiled = compile_for_observer(result.mechanism, options.output, dynamic);
}

// The first sample at or after a time after the start.
Index first_sample_after(const Times& time, double from) {
  Index first = 0;
  while (first < time.size() && time(first) - time(0) < from) ++first;
  return first;
}

void fit(const Times& time, const Readings& readings, ObserveResult& result) {
  const ObserveOptions& options = result.options;
  if (options.form == ObserverForm::Input) return;
  if (!options.fit_density && options.fit_sigma.empty()) return;
  // Before a run nobody knows when it settles: a tenth of the record is more than enough.
  const double tenth = 0.1 * (time(time.size() - 1) - time(0));
  const Index first = first_sample_after(time, options.scored_from.value_or(tenth));
  if (options.form == ObserverForm::TwoStage) {
    fit_two_stages(time, readings, first, result);
  } else {
    fit_noise(time, readings, first, result);
  }
}

void judge(const Times& time, const Readings& readings, ObserveResult& result) {
  const ObserveOptions& options = result.options;
  result.states = state_columns(*result.mechanism, options, result.estimate.names);
  const Index first = options.scored_from ? first_sample_after(time, *options.scored_from)
                                          : settled_sample(result.estimate, result.states);
  result.scored = time.size() - first;
  result.scored_from = time(first) - time(0);
  result.sensors = score_sensors(result.estimate, readings, options, first);
  for (int s = 0; options.form == ObserverForm::Dynamic && s < result.mechanism->sensors(); ++s) {
    if (result.mechanism->force_read_by(s) < 0) continue;
    result.sensors[static_cast<std::size_t>(s)].role = SensorScore::Role::Input;
  }
  const std::vector<bool> highest = highest_sensors(*result.mechanism, result.estimate.mean);
  for (std::size_t i = 0; i < highest.size(); ++i) result.sensors[i].highest = highest[i];
  result.consistency = judge_consistency(*result.mechanism, result.estimate, result.sensors, first);
}

// What the sensors can see over the workspace, in figures and words.
void examine(ObserveResult& result) {
  std::optional<SensorView> view = view_of_sensors(*result.mechanism, result.options.start.z,
                                                   result.estimate.mean, result.options.workspace);
  if (!view) return;
  result.observability = std::move(view->report);
  result.observability_words = std::move(view->words);
  if (result.options.output.forces) {
    const ForceSight sight =
        examine_forces(*result.mechanism, result.options.start.z, result.estimate.mean);
    for (std::string& words : sight.words()) {
      result.observability_words.push_back(std::move(words));
    }
  }
  const SensorSetReport& accelerometers = result.observability.acceleration_sensors;
  if (accelerometers.sensors.empty() ||
      accelerometers.lowest_rank == result.observability.coordinates) {
    return;
  }
  const bool input = motion_form(result.options) == ObserverForm::Input;
  result.observability_words.push_back(
      input ? "There the input form cannot work, and observe.switch has it walk at random instead."
            : fmt::format("That does not matter in the {} form, which does not divide by it.",
                          name_of(motion_form(result.options))));
}

// Filters, and judges what comes of it.
void estimate(const Times& time, const Readings& readings, bool smooth, ObserveResult& result) {
  ObserveOptions& options = result.options;
  const RecordOptions keep{.smooth = smooth,
                           .keep_covariances = options.keep_covariances || !options.truth.empty(),
                           .stop = options.stop};
  if (options.form == ObserverForm::TwoStage) {
    const TwoStageEstimate stages =
        observe_two_stages(result.mechanism, time, readings, options, keep);
    options.stages.direction = stages.direction;
    result.estimate = join_stages(*result.mechanism, stages);
  } else {
    result.estimate = observe_record(result.mechanism, time, readings, options, keep);
  }
  result.status = result.estimate.status;
  result.message = result.estimate.message;
  if (result.status != Status::Stopped) judge(time, readings, result);
}

// Errors where the true motion is given, of the scored samples.
void compare(ObserveResult& result) {
  const ObserveOptions& options = result.options;
  if (options.truth.empty()) return;
  const Index samples = result.estimate.mean.rows();
  const KnownMotion rest{options.truth.columns, options.truth.values.bottomRows(samples)};
  result.truth = compare_with_truth(result.estimate, result.states, rest, samples - result.scored);
  if (!options.keep_covariances) result.estimate.covariances.clear();
}

// Sensors with a finding.
std::vector<int> sensors_that(SensorFault fault, const ObserveResult& result) {
  std::vector<int> sensors;
  for (const SensorFinding& one : result.consistency.findings) {
    if (one.fault == fault) sensors.push_back(one.sensor);
  }
  return sensors;
}

double sigma_of(const ObserveResult& result, int sensor) {
  return result.mechanism->description().sensors[static_cast<std::size_t>(sensor)].sigma;
}

// Noise that is larger than sigma says is taken for motion: the density comes out too large, and
// the estimate follows it. Then sigma is sought together with the density.
void find_sigma_of_noisy(const Times& time, const Readings& readings, ObserveResult& result) {
  std::vector<int> noisy = sensors_that(SensorFault::Follows, result);
  // A sensor whose noise is its counts has no sigma to start from.
  std::erase_if(noisy, [&](int sensor) { return sigma_of(result, sensor) == 0.0; });
  if (noisy.empty() || result.status == Status::Stopped) return;
  const ObserveResult before = result;
  result.options.fit_sigma.insert(result.options.fit_sigma.end(), noisy.begin(), noisy.end());
  result.fitted.clear();
  result.warnings.clear();
  result.notes.clear();
  fit(time, readings, result);
  estimate(time, readings, false, result);
  result.options.fit_sigma = before.options.fit_sigma;
  for (const int sensor : noisy) {
    const double given = sigma_of(before, sensor);
    const double found = sigma_of(result, sensor);
    if (found == given) continue;
    result.warnings.push_back(fmt::format(
        "with the given sigma of {}, {:.3g}, the estimate would follow its noise; {:.3g} was found "
        "and taken. If its time stamps scatter, give observe.jitter",
        result.mechanism->description().sensors[static_cast<std::size_t>(sensor)].name, given,
        found));
  }
}

// The likelihood weighs all frequencies alike, and a smooth motion may leave slow innovations in
// the highest sensors, which a larger density takes away at the price of some noise. If it does
// not, the cause is another.
void raise_density(const Times& time, const Readings& readings, ObserveResult& result) {
  constexpr double kRaise = 3.0;
  constexpr int kMostRaises = 4;
  const auto strays = [](const ObserveResult& now) {
    const std::vector<int> sensors = sensors_that(SensorFault::Strays, now);
    return !sensors.empty() && std::all_of(sensors.begin(), sensors.end(), [&](int sensor) {
      return now.sensors[static_cast<std::size_t>(sensor)].highest;
    });
  };
  if (result.options.form != ObserverForm::Output) return;
  if (result.status == Status::Stopped || !strays(result)) return;
  ObserveResult raised = result;
  double factor = 1.0;
  for (int k = 0; k < kMostRaises && strays(raised); ++k) {
    factor *= kRaise;
    for (double& density : raised.options.output_noise.density) density *= kRaise;
    estimate(time, readings, false, raised);
  }
  if (!raised.ok() || strays(raised)) return;
  for (FittedLevel& level : raised.fitted) {
    if (level.name.starts_with("density")) level.value *= factor;
  }
  raised.notes.push_back(fmt::format(
      "the densities are {:.0f} times those of greatest likelihood, so that the estimate does not "
      "stray from the sensors",
      factor));
  result = std::move(raised);
}

void run(const Times& time, const Readings& readings, ObserveResult& result) {
  const auto began = std::chrono::steady_clock::now();
  const bool found = result.options.form != ObserverForm::Input && result.options.fit_density;
  fit(time, readings, result);
  estimate(time, readings, result.options.smooth && !found, result);
  if (found) {
    find_sigma_of_noisy(time, readings, result);
    raise_density(time, readings, result);
    if (result.options.smooth) estimate(time, readings, true, result);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (result.status != Status::Stopped) {
    compare(result);
    watch_observation(time, readings, result);
    examine(result);
    add_warnings(result);
  }
  judge_trust(result);
}

}  // namespace

ObserveResult observe(std::shared_ptr<const model::planar::Mechanism> mechanism, const Times& time,
                      const Readings& readings, const ObserveOptions& options) {
  check_arguments(*mechanism, time, readings);
  check_readings(*mechanism, readings);
  if (!options.truth.empty()) {
    check::shape(kObserve, "truth", options.truth.values, time.size(),
                 static_cast<Index>(options.truth.columns.size()));
  }
  ObserveResult result;
  result.mechanism = std::move(mechanism);
  result.options = options;
  result.first = begin(time, readings, result);
  const Index rest = time.size() - result.first;
  check::at_least(kObserve, "samples from the start on", rest, 2);
  if (options.scored_from) {
    check::in_range(kObserve, "scored_from", *options.scored_from, 0.0,
                    std::nextafter(time(time.size() - 1) - time(result.first), 0.0));
  }
  if (options.output.forces) {
    check_forces_seen(kObserve, *result.mechanism, result.options.start.z,
                      readings.bottomRows(rest));
  }
  compile_mechanism(rest, result);
  run(time.tail(rest), readings.bottomRows(rest), result);
  return result;
}

}  // namespace alembert::estimate
