#include "study/tasks/acceleration/template_acceleration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/data_info.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "study/tasks/acceleration/tables_acceleration.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

// What the record of the template is made with.
const char* const kDecayRecord = R"(
title = "Free decay, simulated: a = 0.3, b = 400, c = 3e4, released at 0.03 m, noise 0.01 m/s2"
[model]
equations = "x'' = -a*x' - b*x - c*x^3"
constants = { x0 = 0.03 }
start = { x = "x0" }
units = { x = "m", x0 = "m" }
[simulate]
step = 0.002
duration = 3.0
engine = "interpreter"
parameters = { a = 0.3, b = 400.0, c = 3e4 }
sensors.acceleration = { measures = "x''", sigma = 0.01 }
)";

// The column that is an acceleration, or else the first that may be one.
std::string acceleration_column(const TemplateData& data, const std::vector<ColumnGuess>& columns) {
  if (columns.empty()) throw DataError({.file = data.file}, "has no column besides the time");
  if (const ColumnGuess* found = first_of(
          columns,
          {ColumnKind::Acceleration, ColumnKind::AngularAcceleration, ColumnKind::Unknown})) {
    return found->name;
  }
  throw DataError({.file = data.file},
                  fmt::format("has no column that looks like an acceleration ({}); write units "
                              "(m/s2, g) behind the names",
                              guess_list(columns)));
}

/// The part of a long record that the equation is for: a decay after a tap, without other modes.
struct DecayPart {
  std::optional<double> from, to;  ///< s
  std::optional<double> below;     ///< Hz
  Eigen::Index every = 1;
  std::string words;  ///< how it was found
};

constexpr double kSettling = 6.0;     // cycles after the tap
constexpr double kLength = 8.0;       // cycles
constexpr double kLongRecord = 30.0;  // cycles
constexpr double kTapOverRms = 8.0;
constexpr double kEnoughSamples = 400.0;  // a cycle

// To a hundredth of a cycle, however far from zero.
double short_time(double seconds, double cycle) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(2.0 - std::log10(cycle))), 0, 9);
  return std::stod(fmt::format("{:.{}f}", seconds, decimals));
}

// The first sample of the decay: some cycles behind the strongest one, where that stands out.
double decay_begin(const Eigen::VectorXd& values, const RecordInfo& info, double cycle,
                   std::string& words) {
  const double mean = values.mean();
  Eigen::Index strongest = 0;
  const double peak = (values.array() - mean).abs().maxCoeff(&strongest);
  const double rms = std::sqrt((values.array() - mean).square().mean());
  if (peak < kTapOverRms * rms) return info.begin;
  const double tap = info.begin + static_cast<double>(strongest) * *info.step;
  words += fmt::format("the strongest sample, a tap, is at {:.4g} s; ", tap);
  return tap + kSettling * cycle;
}

DecayPart decay_part(const signal::Record& record, const std::string& column) {
  DecayPart part;
  const RecordInfo info = describe(record);
  const auto found =
      std::find_if(info.channels.begin(), info.channels.end(),
                   [&](const ChannelInfo& one) { return one.channel.name == column; });
  if (!info.step || found == info.channels.end() || found->peaks.empty()) return part;
  if (found->figures.missing > 0) return part;
  const double frequency = found->peaks.front().frequency_hz;
  const double cycle = 1.0 / frequency;
  if (info.end - info.begin < kLongRecord * cycle) return part;
  part.words = fmt::format("The record is long: the highest line of its spectrum is at {:.4g} Hz, ",
                           frequency);
  const double begin = decay_begin(record.values(column), info, cycle, part.words);
  part.words += fmt::format("from and to take {:.0f} cycles", kLength);
  part.from = short_time(begin, cycle);
  part.to = short_time(std::min(info.end, begin + kLength * cycle), cycle);
  part.every =
      std::max<Eigen::Index>(1, static_cast<Eigen::Index>(cycle / *info.step / kEnoughSamples));
  for (const SpectralPeak& other : found->peaks) {
    const double corner = std::sqrt(frequency * other.frequency_hz);
    if (other.frequency_hz < 2.0 * frequency) continue;
    part.below =
        std::stod(fmt::format("{:.3g}", part.below ? std::min(*part.below, corner) : corner));
  }
  if (part.below) part.words += ", filter takes off the lines above";
  part.words += ". Please confirm.";
  return part;
}

void assign_part(const DecayPart& part, TemplateWriter::Assignments& used) {
  if (part.from) used.emplace_back("from", shortest(*part.from));
  if (part.to) used.emplace_back("to", shortest(*part.to));
  if (part.every > 1) used.emplace_back("every", fmt::format("{}", part.every));
  if (part.below) {
    used.emplace_back("filter", fmt::format("{{ below = {} }}", shortest(*part.below)));
  }
}

}  // namespace

std::string acceleration_template(const std::optional<TemplateData>& data) {
  const TableSpec& root = acceleration_root_table();
  const auto inner = [&](const char* name) -> const TableSpec& {
    return *root.find(name, nullptr)->table;
  };
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. The equation below is that of a cubic spring; write your own.");
  writer.table(root, {{"title", "\"Stiffness and damping from an acceleration record\""}});
  TemplateWriter::Assignments used = file_assignments(data);
  const std::vector<ColumnGuess> guesses =
      data ? guess_columns(data->record) : std::vector<ColumnGuess>();
  const std::string column = data ? acceleration_column(*data, guesses) : "acceleration";
  const DecayPart part = data ? decay_part(data->record, column) : DecayPart();
  assign_part(part, used);
  used.emplace_back("acceleration", toml_string(column));
  writer.table(inner("data"), used);
  if (data) writer.comment(guess_words(guesses));
  if (!part.words.empty()) writer.comment(part.words);
  writer.table(inner("model"), {{"equations", "\"x'' + a*x' + b*x + c*x^3 = 0\""}});
  writer.table(inner("identify"), {{"method", "\"acceleration\""}});
  writer.named(*inner("identify").find("compare", nullptr)->table,
               {{"linear", "\"x'' + a*x' + b*x = 0\""},
                {"friction", "\"x'' + a*x' + b*x + d*sign(x') = 0\""}});
  return writer.text();
}

signal::Record acceleration_record() {
  const LoadedStudy loaded = load_study_text(kDecayRecord, "template.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = 1});
  return result.experiments.empty() ? signal::Record() : result.experiments.front().record;
}

}  // namespace alembert::study
