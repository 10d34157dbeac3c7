#include "alembert/estimate/observe.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/observe/fit_noise.hpp"
#include "estimate/observe/observe_evidence.hpp"
#include "estimate/observe/observe_warnings.hpp"

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
  const RecordStart found = start_from_readings(*result.mechanism, time, readings);
  // Where positions are given and the readings begin later, these are of another time.
  if (options.given.coordinates && found.first > 0) return 0;
  if (!options.given.coordinates) check_all_known(*result.mechanism, found);
  take_start(found, options.given, options.start);
  return found.first;
}

// The first sample at or after a time after the start.
Index first_sample_after(const Times& time, double from) {
  Index first = 0;
  while (first < time.size() && time(first) - time(0) < from) ++first;
  return first;
}

void fit(const Times& time, const Readings& readings, ObserveResult& result) {
  const ObserveOptions& options = result.options;
  if (options.form != ObserverForm::Output) return;
  if (!options.fit_density && options.fit_sigma.empty()) return;
  // Before a run nobody knows when it settles: a tenth of the record is more than enough.
  const double tenth = 0.1 * (time(time.size() - 1) - time(0));
  fit_noise(time, readings, first_sample_after(time, options.scored_from.value_or(tenth)), result);
}

void judge(const Times& time, const Readings& readings, ObserveResult& result) {
  const ObserveOptions& options = result.options;
  result.states = state_columns(*result.mechanism, options, result.estimate.names);
  const Index first = options.scored_from ? first_sample_after(time, *options.scored_from)
                                          : settled_sample(result.estimate, result.states);
  result.scored = time.size() - first;
  result.scored_from = time(first) - time(0);
  result.sensors = score_sensors(result.estimate, readings, options, first);
  result.consistency = judge_consistency(*result.mechanism, result.estimate, result.sensors, first);
}

// What the sensors can see over the workspace, in figures and words.
void examine(ObserveResult& result) {
  std::optional<SensorView> view = view_of_sensors(*result.mechanism, result.options.start.z,
                                                   result.estimate.mean, result.options.workspace);
  if (!view) return;
  result.observability = std::move(view->report);
  result.observability_words = std::move(view->words);
  const SensorSetReport& accelerometers = result.observability.acceleration_sensors;
  if (accelerometers.sensors.empty() ||
      accelerometers.lowest_rank == result.observability.coordinates) {
    return;
  }
  const bool input = result.options.form == ObserverForm::Input;
  result.observability_words.push_back(
      input ? "There the input form cannot work, and observe.switch has it walk at random instead."
            : "That does not matter in the output form, which needs no inverse.");
}

void run(const Times& time, const Readings& readings, ObserveResult& result) {
  const auto began = std::chrono::steady_clock::now();
  fit(time, readings, result);
  result.estimate = observe_record(result.mechanism, time, readings, result.options,
                                   {.smooth = result.options.smooth, .stop = result.options.stop});
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  result.status = result.estimate.status;
  result.message = result.estimate.message;
  if (result.status != Status::Stopped) {
    judge(time, readings, result);
    examine(result);
    add_warnings(result);
  }
  judge_trust(result);
}

}  // namespace

ObserveResult observe(std::shared_ptr<const model::planar::Mechanism> mechanism, const Times& time,
                      const Readings& readings, const ObserveOptions& options) {
  check_arguments(*mechanism, time, readings);
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
  run(time.tail(rest), readings.bottomRows(rest), result);
  return result;
}

}  // namespace alembert::estimate
