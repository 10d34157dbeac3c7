#include "study/parts/data/measured_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/detrend.hpp"

namespace alembert::study {
namespace {

constexpr double kSameStep = 1e-6;
constexpr Eigen::Index kFewestHeldBack = 2;

}  // namespace

Eigen::Index MeasuredData::samples() const {
  Eigen::Index sum = 0;
  for (const identify::Experiment& experiment : experiments) sum += experiment.samples();
  return sum;
}

void check_same_step(double step, double& known, const DataFile& file) {
  if (known == 0.0) known = step;
  if (std::abs(step - known) <= kSameStep * known) return;
  throw DataError(file.place,
                  fmt::format("{}: {} has a step of {} s, the data before it {} s; resample it "
                              "first",
                              file.key, file.name, shortest(step), shortest(known)));
}

void check_not_infinite(const signal::Record& record, const FileColumn& column) {
  const Eigen::Ref<const Eigen::VectorXd> values = record.values(column.column);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!std::isinf(values(k))) continue;
    throw DataError(column.place,
                    fmt::format("{}: column \"{}\" has an infinite value at sample {}", column.key,
                                column.column, k + 1));
  }
}

signal::Record detrended(const TableReader& data, signal::Record record, const DataFile& file) {
  const std::string what = data.text("detrend");
  if (what == "none") return record;
  try {
    return signal::detrended(std::move(record), what == "mean" ? 0 : 1);
  } catch (const InvalidInput& error) {
    throw DataError(file.place, fmt::format("{}: {}: {}", file.key, file.name, error.reason()));
  }
}

void hold_back(const TableReader& validation, MeasuredData& data, MeasuredData& held) {
  const double fraction = validation.number("fraction");
  for (std::size_t e = 0; fraction > 0.0 && e < data.experiments.size(); ++e) {
    identify::Experiment& experiment = data.experiments[e];
    const Eigen::Index samples = experiment.samples();
    const auto count = static_cast<Eigen::Index>(fraction * static_cast<double>(samples));
    if (count < kFewestHeldBack || samples - count < kFewestHeldBack) {
      validation.fail("fraction", fmt::format("must leave {} samples or more in both parts of {}, "
                                              "which has {}",
                                              kFewestHeldBack, data.sources[e].file, samples));
    }
    const double used = static_cast<double>(samples - count) * experiment.step;
    if (experiment.weight.size() > 0) {
      experiment.weight.conservativeResize(samples - count, Eigen::NoChange);
    }
    held.experiments.push_back({.input = experiment.input.bottomRows(count),
                                .output = experiment.output.bottomRows(count),
                                .step = experiment.step,
                                .start_time = experiment.start_time + used});
    ExperimentSource source = data.sources[e];
    source.start_time += used;
    held.sources.push_back(std::move(source));
    experiment.input.conservativeResize(samples - count, Eigen::NoChange);
    experiment.output.conservativeResize(samples - count, Eigen::NoChange);
  }
}

}  // namespace alembert::study
