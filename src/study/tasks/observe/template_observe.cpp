#include "study/tasks/observe/template_observe.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/study.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/parts/mechanism/tables_mechanism_data.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

const char* const kCrankJoints =
    "[\n"
    "  { revolute  = [\"ground\", \"crank.O\"] },\n"
    "  { revolute  = [\"crank.A\", \"rod.A\"] },\n"
    "  { revolute  = [\"rod.B\", \"slider.B\"] },\n"
    "  { prismatic = [\"ground\", \"slider.B\"], axis = [1.0, 0.0] },\n"
    "]";

constexpr double kCrankStep = 0.001;  // s
constexpr Eigen::Index kCrankSamples = 1500;

/// Columns that the sensors read.
struct CrankColumns {
  std::string angle = "theta", acceleration = "a";
};

// The column of a quantity, or else the first of which nothing is known, but never one that is
// taken already or is known to be something else.
std::string column_of(const TemplateData& data, const std::vector<ColumnGuess>& columns,
                      ColumnKind kind, const std::string& taken) {
  const ColumnGuess* found = first_of(columns, {kind});
  for (const ColumnGuess& column : columns) {
    const bool open = column.kind == ColumnKind::Unknown && column.name != taken;
    if (found == nullptr && open) found = &column;
  }
  if (found != nullptr) return found->name;
  throw DataError({.file = data.file},
                  fmt::format("has no column that looks like an {} ({}); write units (rad, deg, "
                              "m/s2, ...) behind the names",
                              name_of(kind), guess_list(columns)));
}

CrankColumns crank_columns(const std::optional<TemplateData>& data,
                           const std::vector<ColumnGuess>& columns) {
  if (!data) return {};
  if (columns.size() < 2) {
    throw DataError({.file = data->file}, "must have columns for two sensors");
  }
  CrankColumns found;
  found.angle = column_of(*data, columns, ColumnKind::Angle, "");
  found.acceleration = column_of(*data, columns, ColumnKind::Acceleration, found.angle);
  return found;
}

void write_crank(TemplateWriter& writer) {
  writer.table(mechanism_table(),
               {{"joints", kCrankJoints}, {"coordinates", "[\"angle(crank)\"]"}});
  writer.named(*mechanism_table().find("bodies", nullptr)->table,
               {{"crank", "{ points = { O = [-0.07, 0.0], A = [0.07, 0.0] } }"},
                {"rod", "{ points = { A = [-0.28, 0.0], B = [0.28, 0.0] } }"},
                {"slider", "{ points = { B = [0.0, 0.0] } }"}});
}

void write_crank_sensors(TemplateWriter& writer, const CrankColumns& columns) {
  writer.named(
      *mechanism_data_table().find("sensors", nullptr)->table,
      {{"encoder",
        fmt::format(
            "{{ column = {}, kind = \"angle\", of = \"crank\", sigma = 0.003, wrap = true }}",
            toml_string(columns.angle))},
       {"accel", fmt::format("{{ column = {}, kind = \"acceleration\", at = \"slider.B\", sigma = "
                             "0.03 }}",
                             toml_string(columns.acceleration))}});
  writer.comment("All keys of a sensor: alembert keys data.sensors");
}

// The motion of the crank in the record.
model::planar::CoordinatePath crank_path(const Eigen::VectorXd& times) {
  const double omega = 2.0 * std::numbers::pi;
  model::planar::CoordinatePath path;
  path.z = path.zd = path.zdd = Eigen::VectorXd(times.size());
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    const double t = times(k);
    path.z(k) = 0.5 + 8.0 * t + 0.15 * std::sin(omega * t);
    path.zd(k) = 8.0 + 0.15 * omega * std::cos(omega * t);
    path.zdd(k) = -0.15 * omega * omega * std::sin(omega * t);
  }
  return path;
}

}  // namespace

std::string observe_template(const std::optional<TemplateData>& data) {
  const std::vector<ColumnGuess> guesses =
      data ? guess_columns(data->record) : std::vector<ColumnGuess>();
  const CrankColumns columns = crank_columns(data, guesses);
  TemplateWriter writer("observe");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. Bodies, joints and sensors below are to be replaced by your own.");
  writer.table(mechanism_root_table(), {{"title", "\"Motion of a slider-crank\""}});
  write_crank(writer);
  writer.table(mechanism_data_table(), file_assignments(data, false));
  if (data) writer.comment(guess_words(guesses));
  write_crank_sensors(writer, columns);
  writer.table(observe_table(), {{"density", "200.0"}, {"smooth", "true"}, {"scored-from", "0.3"}});
  return writer.text();
}

void write_moving_crank(const std::string& title, TemplateWriter& writer) {
  writer.table(mechanism_root_table(), {{"title", title}});
  write_crank(writer);
  write_crank_sensors(writer, {});
  const TableSpec& simulate = *mechanism_root_table().find("simulate", nullptr)->table;
  writer.table(simulate, {{"step", "0.001"}, {"duration", "2.0"}});
  writer.named(*simulate.find("motion", nullptr)->table,
               {{"\"angle(crank)\"", "\"0.5 + 8*t + 0.15*sin(2*pi*t)\""}});
  writer.comment("What the observer is not told: alembert keys simulate.sensors, simulate.lengths");
  writer.table(observe_table(), {{"density", "200.0"}, {"smooth", "true"}, {"scored-from", "0.3"}});
}

std::string simulate_mechanism_template(const std::optional<TemplateData>& data) {
  if (data) {
    throw DataError({.file = data->file}, "has no place in a study that makes the record");
  }
  TemplateWriter writer("simulate");
  writer.comment(
      "A study for `alembert run`: what sensors would record of a motion, and how well the motion "
      "would be seen. Without data.file it is simulated, with one observed:");
  writer.comment("  alembert run crank.toml");
  writer.comment("  alembert run crank.toml --set data.file=crank.out/record.csv --out seen.out");
  writer.comment(
      "Lines that begin with # are comments; keys written in them show the defaults. Bodies, "
      "joints, sensors and motion below are to be replaced by your own.");
  write_moving_crank("\"Sensors of a slider-crank\"", writer);
  return writer.text();
}

signal::Record observe_record() {
  const LoadedStudy loaded =
      load_study_text(observe_template({}), "template.toml", {.stream = true});
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const model::planar::Mechanism& mechanism = *loaded.as<ObserveStudy>()->mechanism;
  signal::TimeAxis time = signal::TimeAxis::uniform(kCrankSamples, kCrankStep);
  const model::planar::MechanismMotion motion = model::planar::move_mechanism(
      mechanism, time.times(), crank_path(time.times()), {.poses = false});
  if (!motion.ok()) throw InvalidInput({.function = "observe_record", .rule = motion.message});
  RandomStream random(1);
  Eigen::MatrixXd samples = motion.readings;
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    for (Eigen::Index s = 0; s < samples.cols(); ++s) {
      const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
      double value = samples(k, s) + sensor.sigma * random.normal();
      const double turn = 2.0 * std::numbers::pi;
      if (sensor.wrap) value -= turn * std::floor(value / turn);
      samples(k, s) = std::round(1e5 * value) / 1e5;
    }
  }
  return {std::move(time),
          {{.name = "theta", .unit = "rad"}, {.name = "a", .unit = "m/s^2"}},
          std::move(samples),
          "Slider-crank, simulated: noise 0.003 rad and 0.03 m/s^2"};
}

}  // namespace alembert::study
