#include "alembert/signal/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/resample.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr const char* kCondition = "condition";
// Part of a step within which a limit of time counts as that of a sample.
constexpr double kOnSample = 1e-6;
constexpr double kShortestStep = 1e-3;  // of the step as it was

// t_k ≈ start + k step by least squares: step = Σ (k - k̄) t_k/Σ (k - k̄)².
struct EvenGrid {
  double start = 0.0, step = 0.0;
  double jitter = 0.0;  // largest |t_k - start - k step|/step
};

EvenGrid even_grid(const TimeAxis& time) {
  const VectorXd t = time.times();
  const Index N = t.size();
  const VectorXd k = VectorXd::LinSpaced(N, 0.0, static_cast<double>(N - 1));
  const double mean = 0.5 * static_cast<double>(N - 1);
  EvenGrid grid;
  grid.step = (k.array() - mean).matrix().dot(t) / (k.array() - mean).square().sum();
  grid.start = t.mean() - grid.step * mean;
  grid.jitter =
      (t - VectorXd::Constant(N, grid.start) - grid.step * k).cwiseAbs().maxCoeff() / grid.step;
  return grid;
}

Record on_even_times(Record record, double allowed, std::vector<std::string>& notes) {
  if (record.size() < 3 || record.time().is_uniform() || record.time().common_step()) return record;
  const EvenGrid grid = even_grid(record.time());
  if (grid.jitter > allowed) {
    throw InvalidInput(
        {.function = kCondition,
         .rule = fmt::format("its times lie up to {:.2g} of a step off an even grid of {:.6g} s, "
                             "more than the jitter of {:.2g} that is allowed; resample it",
                             grid.jitter, grid.step, allowed)});
  }
  notes.push_back(
      fmt::format("times up to {:.2g} of a step off an even grid of {:.6g} s are taken as even",
                  grid.jitter, grid.step));
  const Index samples = record.size();
  std::vector<Channel> channels = record.channels();
  std::string title = record.title();
  return {TimeAxis::uniform(samples, grid.step, grid.start), std::move(channels),
          std::move(record).release_samples(), std::move(title)};
}

// The line between the nearest samples that are none of `spikes`; at the ends the nearest one.
void bridge(const TimeAxis& time, const std::vector<Index>& spikes, Eigen::Ref<VectorXd> values) {
  const auto stays = [&](Index k) {
    return !std::binary_search(spikes.begin(), spikes.end(), k) && std::isfinite(values(k));
  };
  const VectorXd given = values;
  for (const Index k : spikes) {
    Index before = k - 1;
    while (before >= 0 && !stays(before)) --before;
    Index behind = k + 1;
    while (behind < given.size() && !stays(behind)) ++behind;
    const Index first = before >= 0 ? before : behind;
    const Index last = behind < given.size() ? behind : before;
    const double part = first == last ? 0.0 : (time[k] - time[first]) / (time[last] - time[first]);
    values(k) = (1.0 - part) * given(first) + part * given(last);
  }
}

Record without_spikes(Record record, SpikeUse use, std::vector<std::string>& notes) {
  Eigen::MatrixXd samples = record.samples();
  for (Index c = 0; c < record.channel_count(); ++c) {
    const std::vector<Index> spikes = find_spikes(record.samples().col(c));
    if (spikes.empty()) continue;
    if (use == SpikeUse::Bridge) {
      bridge(record.time(), spikes, samples.col(c));
    } else {
      for (const Index k : spikes) samples(k, c) = std::numeric_limits<double>::quiet_NaN();
    }
    notes.push_back(fmt::format(
        "{} is {}, far beyond all others; {}", record.channels()[static_cast<std::size_t>(c)].name,
        spike_words(record.time(), record.samples().col(c), spikes),
        use == SpikeUse::Bridge ? "the line between the samples beside it is taken there"
                                : "taken as missing"));
  }
  if (notes.empty()) return record;
  return {record.time(), record.channels(), std::move(samples), record.title()};
}

double step_of(const Record& record, const char* option) {
  if (const std::optional<double> step = record.time().common_step()) return *step;
  throw InvalidInput({.function = kCondition,
                      .argument = option,
                      .rule = "needs even times; resample the record, or allow for jitter"});
}

// A shorter step shows nothing new and would be a misprint: 800 samples may not become 400 million.
void check_new_step(const Record& record, double new_step) {
  const double least = kShortestStep * record.time().median_step();
  if (new_step >= least) return;
  throw InvalidInput(
      {.function = kCondition,
       .argument = "resample",
       .rule = fmt::format("must be at least a thousandth of the step, {:g} s", least),
       .value = fmt::format("{:g} s", new_step)});
}

// The samples from `from` to `to`.
Record part_of_time(const Record& record, double from, double to) {
  const TimeAxis& time = record.time();
  const double near = kOnSample * time.median_step();
  Index first = 0;
  Index end = record.size();
  while (first < end && time[first] < from - near) ++first;
  while (end > first && time[end - 1] > to + near) --end;
  if (end - first < 2) {
    throw InvalidInput(
        {.function = kCondition,
         .rule = fmt::format("has {} samples between {:.6g} s and {:.6g} s; it "
                             "lasts from {:.6g} s to {:.6g} s",
                             end - first, from, to, time.start(), time[record.size() - 1])});
  }
  return end - first == record.size() ? record : record.slice(first, end - first);
}

}  // namespace

bool ConditionOptions::any() const {
  return spikes != SpikeUse::Keep || jitter > 0.0 || filter.above > 0.0 || filter.below > 0.0 ||
         resample || every > 1 || std::isfinite(from) || std::isfinite(to);
}

double largest_jitter(const TimeAxis& time) {
  return time.size() < 3 || time.is_uniform() ? 0.0 : even_grid(time).jitter;
}

Conditioned condition(Record record, const ConditionOptions& options) {
  check::in_range(kCondition, "jitter", options.jitter, 0.0, 0.5);
  check::at_least(kCondition, "every", options.every, 1);
  Conditioned result;
  const bool limits = std::isfinite(options.from) || std::isfinite(options.to);
  // Across a gap nothing can be made even or filtered; what lies outside is cut off before.
  if (limits && !record.gaps().empty()) {
    record = part_of_time(record, options.from, options.to);
  }
  if (options.spikes != SpikeUse::Keep) {
    record = without_spikes(std::move(record), options.spikes, result.notes);
  }
  if (record.size() >= 2 && options.jitter > 0.0) {
    record = on_even_times(std::move(record), options.jitter, result.notes);
  }
  if (record.size() >= 2 && (options.filter.above > 0.0 || options.filter.below > 0.0)) {
    (void)step_of(record, "filter");
    record = filter_zero_phase(record, options.filter);
  }
  if (record.size() >= 2 && options.resample) {
    check_new_step(record, *options.resample);
    record = resample(record, *options.resample);
  }
  if (record.size() >= 2 && options.every > 1) {
    const double step = step_of(record, "every");
    record = resample(record, step * static_cast<double>(options.every));
  }
  const bool part = limits && record.size() > 0;
  result.record = part ? part_of_time(record, options.from, options.to) : std::move(record);
  return result;
}

}  // namespace alembert::signal
