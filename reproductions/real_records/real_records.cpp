#include "reproductions/real_records/real_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/acceleration.hpp"
#include "alembert/study/detail/template.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "reproductions/benchmark_data.hpp"
#include "reproductions/bouc_wen/bouc_wen.hpp"
#include "reproductions/studies.hpp"
#include "reproductions/tanks/tanks.hpp"

namespace alembert::reproductions::real_records {
namespace {

using study::OutputErrorOutcome;
using Overrides = std::vector<study::Override>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
const char* const kPromise = "own promise: as accurate as the best fit known of this record";

std::string record_file(const ReproduceOptions& options, const char* path) {
  return std::filesystem::absolute(benchmark_file(options, "real-records", path)).string();
}

// A study of studies/, with its files named by the folder of public records.
study::LoadedStudy loaded_study(const std::string& name, study::LoadOptions given) {
  study::LoadedStudy loaded = study::load_study_text(study_text(name), name, given);
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return loaded;
}

OutputErrorOutcome fit_of(const std::string& name, study::LoadOptions given,
                          const ReproduceOptions& options) {
  const study::LoadedStudy loaded = loaded_study(name, std::move(given));
  return study::run_output_error(
      *loaded.as<study::OutputErrorStudy>(),
      {.threads = options.parallel.threads, .stop = options.parallel.stop});
}

// Root mean square of the first output of one experiment of the held-back data.
double validation_rms(const OutputErrorOutcome& fit, std::size_t experiment) {
  if (!fit.validation || experiment >= fit.validation->prediction.residuals.size()) return kNone;
  double sum = 0.0;
  double count = 0.0;
  for (const double left : fit.validation->prediction.residuals[experiment].col(0)) {
    if (std::isnan(left)) continue;
    sum += left * left;
    count += 1.0;
  }
  return std::sqrt(sum / count);
}

/// Parameters of several fits side by side.
void add_parameters(const OutputErrorOutcome& fit, const std::string& row, Table& table) {
  const Eigen::Index r = table.values.rows();
  const auto columns = static_cast<Eigen::Index>(table.header.size()) - 1;
  table.values.conservativeResize(r + 1, columns);
  table.rows.push_back({row});
  table.values.row(r).setConstant(kNone);
  for (std::size_t i = 0;
       i < fit.study.parameters.size() && static_cast<Eigen::Index>(2 * i + 1) < columns; ++i) {
    const identify::ParameterVerdict one = identify::parameter_verdict(fit, i);
    table.values(r, static_cast<Eigen::Index>(2 * i)) = one.value;
    table.values(r, static_cast<Eigen::Index>(2 * i + 1)) = one.deviation;
  }
}

void drive(const ReproduceOptions& options, Reproduction& all) {
  const Overrides files = {
      {"data.file", record_file(options, "emps/DATA_EMPS.mat")},
      {"data.validation.file", record_file(options, "emps/DATA_EMPS_PULSES.mat")}};
  Table table{
      .id = "drive",
      .title = "Electro-mechanical positioning system",
      .header = {"estimate", "M [kg]", "±", "Fv [N s/m]", "±", "Fc [N]", "±", "offset [N]", "±"},
      .caption =
          "One standard deviation each. Published: 95.1089, 203.5034, 20.3935, "
          "-3.1648."};
  struct Way {
    const char *name, *target, *window;
  };
  for (const Way& way :
       {Way{"whole record", "<= 7.0", ""}, Way{"windows of 1 s", "<= 6.2", "1.0"}}) {
    study::LoadOptions given{.overrides = files};
    if (way.window[0] != '\0') given.overrides.push_back({"identify.window", way.window});
    const OutputErrorOutcome fit = fit_of("linear-drive/measured.toml", given, options);
    all.claims.push_back(
        promised({.name = fmt::format("drive, error of the held-back record, {}", way.name),
                  .measured = 1e3 * validation_rms(fit, 0),
                  .unit = "mm",
                  .target = way.target,
                  .source = kPromise}));
    add_parameters(fit, way.name, table);
  }
  all.tables.push_back(std::move(table));
}

// A row of parameters and of the errors of both held-back swings.
void add_swings(const OutputErrorOutcome& fit, const std::string& row, Table& table) {
  add_parameters(fit, row, table);
  const Eigen::Index last = table.values.rows() - 1;
  table.values(last, table.values.cols() - 2) = validation_rms(fit, 0);
  table.values(last, table.values.cols() - 1) = validation_rms(fit, 1);
}

// The swings as they are in the file: each cell is a record.
signal::Records swings(const std::string& file, const std::string& set) {
  return io::read_records(file, {.time = "Time" + set, .dataset = "Y" + set});
}

void pendulum(const ReproduceOptions& options, Reproduction& all) {
  const std::string file =
      record_file(options, "multiarm_pendulum/SinglePendulumDataForParameterEstimation.mat");
  const study::LoadOptions given{
      .records = {{"swings.h5", swings(file, "_id")}, {"held-back.h5", swings(file, "_vad")}}};
  Table table{.id = "pendulum",
              .title = "Single pendulum, four swings, th'' = a sin th - friction",
              .header = {"friction", "a [1/s²]", "±", "c", "±", "d", "±",
                         "error, first swing [rad]", "error, second swing [rad]"},
              .caption =
                  "Dry friction and drag: c tanh(th'/w) + d th'|th'|. Viscous alone: c th'. "
                  "One standard deviation each. Published: a 64.22, viscous 0.0672."};
  const OutputErrorOutcome fit = fit_of("measured-records/pendulum.toml", given, options);
  add_swings(fit, "dry and drag", table);
  const std::array<const char*, 2> swing = {"first", "second"};
  const std::array<const char*, 2> targets = {"<= 0.0050", "<= 0.0120"};
  for (std::size_t e = 0; e < 2; ++e) {
    all.claims.push_back(
        promised({.name = fmt::format("pendulum, error of the {} held-back swing", swing[e]),
                  .measured = validation_rms(fit, e),
                  .unit = "rad",
                  .target = targets[e],
                  .source = kPromise}));
  }
  study::LoadOptions viscous = given;
  viscous.overrides = {{"model.equations", "\"th'' = a*sin(th) - c*th' - d*th'*abs(th') + 0*w\""},
                       {"identify.parameters.d", "{ guess = 0.0, fixed = true }"}};
  add_swings(fit_of("measured-records/pendulum.toml", viscous, options), "viscous alone", table);
  all.tables.push_back(std::move(table));
}

/// One second of the decay.
struct Decay {
  double from = 0.0;  ///< s after the tap
  double amplitude = kNone, frequency_hz = kNone, damping = kNone;
};

constexpr double kTap = 1.1;  // s

std::string seconds(double time) { return fmt::format("{:.1f}", time); }

Decay decay_at(double from, const std::string& file, const ReproduceOptions& options) {
  const study::LoadedStudy loaded = loaded_study(
      "measured-records/cantilever.toml", {.overrides = {{"data.file", file},
                                                         {"data.from", seconds(kTap + from)},
                                                         {"data.to", seconds(kTap + from + 1.0)}}});
  const study::AccelerationOutcome found = study::run_acceleration(
      *loaded.as<study::AccelerationStudy>(), {.stop = options.parallel.stop});
  Decay decay{.from = from};
  if (!found.ok() || !found.records.front().refined) return decay;
  const Eigen::VectorXd& parameters = found.records.front().refined->parameters;
  const double omega = std::sqrt(parameters(1));
  decay.amplitude = found.records.front().diagnosis.cycles.amplitude;
  decay.frequency_hz = omega / (2.0 * std::numbers::pi);
  decay.damping = 50.0 * parameters(0) / omega;
  return decay;
}

// Damping over that of the first second, where the frequency has risen by a share.
double damping_at_rise(const std::vector<Decay>& course, double rise) {
  const auto risen = [&](const Decay& one) {
    return one.frequency_hz / course.front().frequency_hz - 1.0;
  };
  for (std::size_t i = 1; i < course.size(); ++i) {
    const double before = risen(course[i - 1]);
    const double after = risen(course[i]);
    if (!(before <= rise && after >= rise)) continue;
    const double part = (rise - before) / (after - before);
    return (course[i - 1].damping + part * (course[i].damping - course[i - 1].damping)) /
           course.front().damping;
  }
  return kNone;
}

// `alembert new acceleration` on the file, and the study as it comes out.
void untouched(const std::string& file, const ReproduceOptions& options, Reproduction& all) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = study::study_template(
      "acceleration", study::TemplateData{.file = file, .record = io::read_record(file)});
  const study::LoadedStudy loaded = study::load_study_text(text, "new.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const study::AccelerationOutcome found = study::run_acceleration(
      *loaded.as<study::AccelerationStudy>(), {.stop = options.parallel.stop});
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  const bool known = found.ok() && found.records.front().refined;
  const double stiffness = known ? found.records.front().refined->parameters(1) : kNone;
  all.claims.push_back(
      promised({.name = "cantilever, frequency of the study that `alembert new` writes",
                .measured = std::sqrt(stiffness) / (2.0 * std::numbers::pi),
                .unit = "Hz",
                .published = 6.62,
                .target = "6.60 .. 6.64",
                .source = "own promise: the study runs as it was written"}));
  all.claims.push_back(promised({.name = "cantilever, that study takes less than 10 s",
                                 .measured = passed.count() < 10.0 ? 1.0 : 0.0,
                                 .target = "== 1",
                                 .source = "own promise"}));
}

void cantilever(const ReproduceOptions& options, Reproduction& all) {
  const std::string file = record_file(options, "cantilever_impulse/timeseries_data.lvm");
  std::vector<Decay> course;
  for (const double from : {1.0, 3.0, 6.0, 10.0, 15.0, 17.0, 19.0, 21.0}) {
    course.push_back(decay_at(from, file, options));
  }
  const char* const kReference = "reference computation: a fit of the samples in another program";
  all.claims.push_back(promised({.name = "cantilever, frequency 1 to 2 s after the tap",
                                 .measured = course.front().frequency_hz,
                                 .unit = "Hz",
                                 .published = 6.62,
                                 .reference = 6.617,
                                 .target = "6.6165 .. 6.6175",
                                 .source = kReference}));
  all.claims.push_back(promised({.name = "cantilever, damping ratio 1 to 2 s after the tap",
                                 .measured = course.front().damping,
                                 .unit = "%",
                                 .reference = 0.281,
                                 .target = "0.281 +- 0.001",
                                 .source = kReference}));
  all.claims.push_back(compared(
      {.name = "cantilever, damping where the frequency has risen by 0.7 %, over the first",
       .measured = damping_at_rise(course, 0.007),
       .published = 2.4,
       .target = "2.4 +- 0.24",
       .source = "the description of the record: f rises by 0.7 %, damping 2.4 times",
       .reason = "the description does not say over which part of the decay"}));
  Table table{
      .id = "cantilever",
      .title = "Tapped cantilever, first mode, seconds of its decay",
      .header = {"from, after the tap", "amplitude [m/s²]", "frequency [Hz]", "damping [%]"},
      .caption = "Each row is a fit of one second."};
  table.values.resize(static_cast<Eigen::Index>(course.size()), 3);
  for (std::size_t r = 0; r < course.size(); ++r) {
    table.rows.push_back({fmt::format("{:.0f} s", course[r].from)});
    table.values.row(static_cast<Eigen::Index>(r)) << course[r].amplitude, course[r].frequency_hz,
        course[r].damping;
  }
  all.tables.push_back(std::move(table));
  untouched(file, options, all);
}

// What reproductions of their own promise of a record.
void kept_elsewhere(const Reproduction& other, const char* record, Reproduction& all) {
  const auto broken =
      std::count_if(other.claims.begin(), other.claims.end(), [](const Claim& c) { return !c.ok; });
  all.claims.push_back(
      promised({.name = fmt::format("{}, promises of `alembert reproduce {}` that are broken",
                                    record, other.name),
                .measured = other.claims.empty() ? kNone : static_cast<double>(broken),
                .target = "== 0",
                .source = "own promise: as before"}));
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  Reproduction all;
  all.name = "real-records";
  all.title = "Public measured records, from their files as they are";
  all.summary =
      "What the tool makes of public records without any preparation by hand: MATLAB files with "
      "vectors and with cells, a LabVIEW file, a table. The studies are linear-drive/measured.toml "
      "and those of measured-records.";
  drive(options, all);
  pendulum(options, all);
  cantilever(options, all);
  kept_elsewhere(tanks::run(options), "tanks", all);
  kept_elsewhere(bouc_wen::run(options), "Bouc-Wen", all);
  if (options.parallel.stop != nullptr && options.parallel.stop->requested()) {
    all.claims.clear();
    all.status = Status::Stopped;
    all.message = "stopped on request";
  }
  return all;
}

}  // namespace alembert::reproductions::real_records
