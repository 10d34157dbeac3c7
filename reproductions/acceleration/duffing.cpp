#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "alembert/core/parallel.hpp"
#include "reproductions/acceleration/acceleration.hpp"
#include "reproductions/acceleration/motion_cases.hpp"

namespace alembert::reproductions::acceleration {
namespace {

using identify::Choice;
using identify::RegressionOptions;

/// One row of a table: a record and how it is identified.
struct DuffingRow {
  std::string name;
  SensorCase sensor;
  RegressionOptions options = {};
  bool refine = false;
  double x0 = 0.1;
};

/// Of one seed.
struct DuffingRun {
  bool finished = false;
  bool ok = false;
  Eigen::Vector3d error = Eigen::Vector3d::Zero();      ///< %
  Eigen::Vector3d deviation = Eigen::Vector3d::Zero();  ///< spread, or reported deviation, %
  double failed = 0.0;                                  ///< share of windows, %
  double iterations = 0.0;                              ///< per window
};

/// Over all seeds.
struct DuffingScore {
  bool finished = true;
  int good = 0;
  Eigen::Vector3d bias = Eigen::Vector3d::Zero();
  Eigen::Vector3d rms = Eigen::Vector3d::Zero();
  Eigen::Vector3d deviation = Eigen::Vector3d::Zero();
  double failed = 0.0;
  double iterations = 0.0;
};

DuffingRun duffing_run(const identify::EquationOfMotion& equation, const Eigen::VectorXd& motion,
                       const DuffingRow& row, std::uint64_t seed) {
  const MotionCase& system = duffing_case();
  const identify::AccelerationRecord record = sensed(motion, system.step, row.sensor, seed);
  const identify::AccelerationRegression found =
      identify::regress_acceleration(equation, record, row.options);
  DuffingRun run;
  run.finished = true;
  const auto windows = static_cast<double>(found.windows.size());
  run.failed = windows > 0.0 ? 100.0 * static_cast<double>(found.failed) / windows : 100.0;
  for (const identify::WindowFit& window : found.windows) {
    run.iterations += window.iterations / windows;
  }
  if (!found.parameters.allFinite() || found.parameters.size() != 3) return run;
  Eigen::VectorXd parameters = found.parameters;
  Eigen::VectorXd deviations = found.spread;
  if (row.refine) {
    const identify::RefinedEquation refined =
        identify::refine_equation(equation, record, found, {.offset = row.options.fit.offset});
    if (!refined.ok()) return run;
    parameters = refined.parameters;
    deviations = refined.deviations;
  }
  run.ok = true;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double truth = system.parameters(k);
    run.error(k) = 100.0 * (parameters(k) / truth - 1.0);
    run.deviation(k) = 100.0 * deviations(k) / std::abs(truth);
  }
  return run;
}

DuffingScore score_of(const std::vector<DuffingRun>& runs, std::size_t first, std::size_t count) {
  DuffingScore score;
  for (std::size_t i = first; i < first + count; ++i) {
    const DuffingRun& run = runs[i];
    score.finished = score.finished && run.finished;
    score.failed += run.failed / static_cast<double>(count);
    score.iterations += run.iterations / static_cast<double>(count);
    if (!run.ok) continue;
    ++score.good;
    score.bias += run.error;
    score.rms += run.error.cwiseAbs2();
    score.deviation += run.deviation.cwiseAbs2();
  }
  if (score.good == 0) {
    score.bias.setConstant(std::nan(""));
    score.rms = score.deviation = score.bias;
    return score;
  }
  score.bias /= score.good;
  score.rms = (score.rms / score.good).cwiseSqrt();
  score.deviation = (score.deviation / score.good).cwiseSqrt();
  return score;
}

RegressionOptions windows_of(double length, double shift = 0.1) {
  RegressionOptions options;
  options.windows = {.length = length, .shift = shift};
  options.fit.offset = Choice::Never;
  options.reconstruction.smoothing = Choice::Never;
  return options;
}

/// A table with its rows.
struct DuffingTable {
  std::string id, title, row_title, caption;
  std::vector<DuffingRow> rows = {};
};

DuffingTable length_table() {
  DuffingTable table{"window-length", "window length, 12 bit, 100 Hz, shift 0.1 cycle",
                     "length [cycles]",
                     "Means over seeds of the error of the average over windows; spread over "
                     "windows; least squares by variable projection."};
  for (const double length : {0.25, 0.5, 1.0, 2.0, 5.0}) {
    table.rows.push_back({fmt::format("{:g}", length), published_sensor(10), windows_of(length)});
  }
  return table;
}

DuffingTable rate_table() {
  DuffingTable table{
      "sampling-rate", "sampling rate, window 2 cycles, shift 0.1 cycle", "record",
      "Without noise the error is that of the spline: below 20 samples per cycle the "
      "quintic one is better."};
  for (const Eigen::Index every : {Eigen::Index{100}, Eigen::Index{50}, Eigen::Index{10}}) {
    RegressionOptions options = windows_of(2.0);
    const double rate = 1000.0 / static_cast<double>(every);
    table.rows.push_back(
        {fmt::format("no noise, {:g} Hz, cubic", rate), {.every = every}, options});
    options.reconstruction.spline = identify::AccelerationSpline::Quintic;
    table.rows.push_back(
        {fmt::format("no noise, {:g} Hz, quintic", rate), {.every = every}, options});
  }
  for (const Eigen::Index every : {Eigen::Index{100}, Eigen::Index{10}, Eigen::Index{1}}) {
    table.rows.push_back({fmt::format("12 bit, {:g} Hz", 1000.0 / static_cast<double>(every)),
                          published_sensor(every), windows_of(2.0)});
  }
  return table;
}

DuffingTable shift_table() {
  DuffingTable table{"window-shift", "window shift, 12 bit, 100 Hz, window 2 cycles",
                     "shift [cycles]", "Below half a cycle nothing is gained."};
  for (const double shift : {1.0, 0.5, 0.1, 0.02}) {
    table.rows.push_back(
        {fmt::format("{:g}", shift), published_sensor(10), windows_of(2.0, shift)});
  }
  return table;
}

DuffingTable noise_table() {
  DuffingTable table{"noise", "noise and smoothing, window 2 cycles, shift 0.1 cycle", "record",
                     "Smoothing: cubic smoothing spline by cross-validation; it takes amplitude "
                     "away and biases c."};
  for (const double snr : {40.0, 30.0, 20.0}) {
    for (const bool smooth : {false, true}) {
      RegressionOptions options = windows_of(2.0);
      if (smooth) options.reconstruction.smoothing = Choice::Always;
      table.rows.push_back({fmt::format("{:g} dB, 1 kHz{}", snr, smooth ? ", smoothed" : ""),
                            {.snr_db = snr},
                            options});
    }
  }
  table.rows.push_back({"40 dB, 100 Hz", {.every = 10, .snr_db = 40.0}, windows_of(2.0)});
  return table;
}

DuffingTable offset_table() {
  DuffingTable table{"offset", "offset of the sensor of 0.02 m/s2, 12 bit, 100 Hz, window 2 cycles",
                     "unknown offset",
                     "The offset biases more than anything else, unless it is "
                     "one of the unknowns."};
  SensorCase sensor = published_sensor(10);
  sensor.offset = 0.02;
  RegressionOptions options = windows_of(2.0);
  table.rows.push_back({"no", sensor, options});
  options.fit.offset = Choice::Always;
  table.rows.push_back({"yes", sensor, options});
  options.fit.offset = Choice::Automatic;
  table.rows.push_back({"automatic", sensor, options});
  return table;
}

DuffingTable nonlinearity_table() {
  DuffingTable table{
      "nonlinearity",
      "fixed point as published against variable projection, 12 bit ±10 m/s2, 100 Hz",
      "c x0²/b, window, solution", ""};
  for (const double x0 : {0.1, 0.2, 0.25}) {
    for (const double length : {1.0, 2.0}) {
      for (const bool fixed : {true, false}) {
        SensorCase sensor = published_sensor(10);
        sensor.range = 10.0;
        RegressionOptions options = windows_of(length, 0.25);
        if (fixed) options.fit.method = identify::RegressionMethod::FixedPoint;
        table.rows.push_back({fmt::format("{:.2f}, {:g}, {}", -444.7 * x0 * x0 / 36.78, length,
                                          fixed ? "fixed point" : "variable projection"),
                              sensor, options, false, x0});
      }
    }
  }
  return table;
}

DuffingTable refinement_table() {
  DuffingTable table{"refinement", "output error from the regression", "record",
                     "Last column of each parameter: rms of the reported standard deviation."};
  const auto add = [&](const char* name, const SensorCase& sensor, Choice offset) {
    DuffingRow row{name, sensor, windows_of(2.0, 0.5), true};
    row.options.fit.offset = offset;
    table.rows.push_back(row);
  };
  add("12 bit, 1 kHz", published_sensor(1), Choice::Never);
  add("12 bit, 100 Hz", published_sensor(10), Choice::Never);
  add("40 dB, 1 kHz", {.snr_db = 40.0}, Choice::Never);
  add("20 dB, 1 kHz", {.snr_db = 20.0}, Choice::Never);
  SensorCase shifted = published_sensor(1);
  shifted.offset = 0.02;
  add("offset 0.02, fitted", shifted, Choice::Always);
  add("offset 0.02, ignored", shifted, Choice::Never);
  return table;
}

/// Computes tables; keeps the scores for the claims.
class DuffingStudy {
 public:
  DuffingStudy(const ReproduceOptions& options, std::size_t seeds)
      : options_(options),
        seeds_(seeds),
        equation_(identify::read_equation_of_motion(duffing_case().equation)) {}

  /// false if it was stopped.
  bool add(const DuffingTable& table, Reproduction& result, std::size_t seeds = 0) {
    const std::size_t count = seeds == 0 ? seeds_ : seeds;
    std::vector<Eigen::VectorXd> motions;
    for (const DuffingRow& row : table.rows) {
      MotionCase system = duffing_case();
      system.x0 = row.x0;
      motions.push_back(true_acceleration(equation_, system));
    }
    std::vector<DuffingRun> runs(table.rows.size() * count);
    parallel_for(
        runs.size(),
        [&](std::size_t i) {
          const std::size_t row = i / count;
          runs[i] = duffing_run(equation_, motions[row], table.rows[row], 1 + i % count);
        },
        options_.parallel);
    Table numbers{
        .id = table.id, .title = "Errors in %: " + table.title, .header = {table.row_title}};
    const bool refined = table.rows.front().refine;
    for (const char* name : {"a", "b", "c"}) {
      numbers.header.push_back(fmt::format("{} mean", name));
      numbers.header.push_back(fmt::format("{} rms", name));
      numbers.header.push_back(fmt::format("{} {}", name, refined ? "std" : "spread"));
    }
    numbers.header.push_back("windows failed [%]");
    numbers.header.push_back("iterations");
    numbers.values.resize(static_cast<Eigen::Index>(table.rows.size()), 11);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const DuffingScore score = score_of(runs, row * count, count);
      if (!score.finished) return false;
      scores_.emplace_back(table.id + "/" + table.rows[row].name, score);
      numbers.rows.push_back({table.rows[row].name});
      const auto at = static_cast<Eigen::Index>(row);
      for (Eigen::Index k = 0; k < 3; ++k) {
        numbers.values(at, 3 * k) = score.bias(k);
        numbers.values(at, 3 * k + 1) = score.rms(k);
        numbers.values(at, 3 * k + 2) = score.deviation(k);
      }
      numbers.values(at, 9) = score.failed;
      numbers.values(at, 10) = score.iterations;
    }
    numbers.caption = fmt::format("{} {} seeds.", table.caption, count);
    result.tables.push_back(std::move(numbers));
    return true;
  }

  [[nodiscard]] const DuffingScore& score(const std::string& name) const {
    const auto found = std::find_if(scores_.begin(), scores_.end(),
                                    [&](const auto& one) { return one.first == name; });
    return found->second;
  }

 private:
  const ReproduceOptions& options_;
  std::size_t seeds_;
  identify::EquationOfMotion equation_;
  std::vector<std::pair<std::string, DuffingScore>> scores_;
};

const char* const kDuffingReference =
    "reference computation: an independent program, one record of the same case";

// Systematic effects that the reference computation measured on one record.
void compare_duffing(const DuffingStudy& study, std::vector<Claim>& claims) {
  const auto add = [&](const std::string& name, double value, const std::string& unit,
                       double reference) {
    claims.push_back(compared(
        {.name = name,
         .measured = value,
         .unit = unit,
         .reference = reference,
         .target = within(reference, 0.1),
         .source = kDuffingReference,
         .reason = "the reference is one record, here it is the mean over all seeds of noise"}));
  };
  add("offset ignored: error of c (what the offset does)",
      std::abs(study.score("offset/no").bias(2)), "%", 16.7);
  const DuffingScore& raw = study.score("noise/40 dB, 1 kHz");
  add("40 dB: bias of c with smoothing",
      std::abs(study.score("noise/40 dB, 1 kHz, smoothed").bias(2)), "%", 0.87);
  add("40 dB: rms error of a, regression over output error",
      raw.rms(0) / study.score("refinement/40 dB, 1 kHz").rms(0), "", 1.9);
}

void claim_duffing(const DuffingStudy& study, Reproduction& result) {
  const auto add = [&](const std::string& name, double value, const char* target) {
    result.claims.push_back(promised({.name = name,
                                      .measured = value,
                                      .unit = "%",
                                      .target = target,
                                      .source = "own promise: error against the truth"}));
  };
  const DuffingScore& usual = study.score("window-length/2");
  add("12 bit, 100 Hz, window 2: rms error of a", usual.rms(0), "< 0.5");
  add("12 bit, 100 Hz, window 2: rms error of b", usual.rms(1), "< 0.01");
  add("12 bit, 100 Hz, window 2: rms error of c", usual.rms(2), "< 0.1");
  const DuffingScore& refined = study.score("refinement/12 bit, 1 kHz");
  add("output error, 12 bit, 1 kHz: rms error of c", refined.rms(2), "< 0.05");
  const DuffingScore& fitted = study.score("offset/yes");
  add("offset as an unknown: bias of b", std::abs(fitted.bias(1)), "< 0.1");
  add("offset as an unknown: bias of c", std::abs(fitted.bias(2)), "< 0.1");
  double failed = 0.0;
  for (const char* length : {"1", "2"}) {
    failed +=
        study.score(fmt::format("nonlinearity/-0.76, {}, variable projection", length)).failed;
  }
  add("c x0²/b = -0.76: windows in which variable projection fails", failed, "== 0");
  add("40 dB: bias of c without smoothing", std::abs(study.score("noise/40 dB, 1 kHz").bias(2)),
      "< 0.3");
  const DuffingScore& better = study.score("refinement/40 dB, 1 kHz");
  add("40 dB: rms error of a by output error", better.rms(0), "< 1");
  result.claims.push_back(
      promised({.name = "40 dB: rms error over reported deviation of c, output error",
                .measured = better.rms(2) / better.deviation(2),
                .target = "0.6 .. 1.5",
                .source = "own promise: 1 is honest"}));
  compare_duffing(study, result.claims);
}

}  // namespace

Reproduction run_duffing(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "duffing";
  result.title = "Duffing oscillator from its acceleration";
  result.summary =
      "Free decay of x'' + a x' + b x + c x³ = 0 with the published parameters, released at 0.1 m, "
      "10 cycles, 12-bit acquisition; the published tables over window length, sampling rate and "
      "window shift, with errors against the truth; what an offset, noise and smoothing do; output "
      "error from the regression.";
  result.source =
      "N. Jakšić and M. Boltežar, Strojniški vestnik - Journal of Mechanical Engineering 48 (2002)";
  const std::size_t seeds = options.full ? 100 : 20;
  DuffingStudy study(options, seeds);
  const bool finished = study.add(length_table(), result) && study.add(rate_table(), result) &&
                        study.add(shift_table(), result) && study.add(noise_table(), result) &&
                        study.add(offset_table(), result) &&
                        study.add(nonlinearity_table(), result) &&
                        study.add(refinement_table(), result);
  if (!finished) {
    result.status = Status::Stopped;
    result.message = "stopped on request; no claim is made";
    return result;
  }
  claim_duffing(study, result);
  return result;
}

}  // namespace alembert::reproductions::acceleration
