#include "reproductions/measured_modes/measured_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/modes.hpp"
#include "alembert/study/records/state_space.hpp"
#include "alembert/study/study.hpp"
#include "reproductions/benchmark_data.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::measured_modes {
namespace {

using identify::Mode;
using study::ModesOutcome;

const char* const kPrototype =
    "reference computation: a NumPy prototype with a fit of the samples of its own";

/// A study of studies/measured-modes, its file and the key that names it.
struct RecordOfStudy {
  const char *name, *file, *key;
};

constexpr RecordOfStudy kCantilever{"cantilever", "cantilever_impulse/timeseries_data.lvm", "file"};
constexpr RecordOfStudy kMast{"mast", "pyoma_mast/measurement_1.npy", "file"};
constexpr RecordOfStudy kCase1{"case1", "vibrationtesting/case1.mat", "frf"};
constexpr RecordOfStudy kCase2{"case2", "vibrationtesting/case2.mat", "frf"};

constexpr RecordOfStudy kFrame{"frame-state-space", "daisy/flexible_structure_dat.mat", "file"};
constexpr RecordOfStudy kArm{"cd-arm", "daisy/CD_player_arm_dat.mat", "file"};

study::LoadedStudy study_of(const RecordOfStudy& record, const ReproduceOptions& options) {
  const std::filesystem::path file = benchmark_file(options, "measured-modes", record.file);
  const std::string name = fmt::format("measured-modes/{}.toml", record.name);
  // The study names its file by the folder of public records.
  study::LoadedStudy loaded =
      study::load_study_text(study_text(name), std::filesystem::absolute(options.data) / name,
                             {.overrides = {{fmt::format("data.{}", record.key),
                                             std::filesystem::absolute(file).string()}}});
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return loaded;
}

ModesOutcome modes_of(const RecordOfStudy& record, const ReproduceOptions& options) {
  return study::run_modes(std::move(*study_of(record, options).as<study::ModesStudy>()));
}

const Mode* nearest_mode(const ModesOutcome& result, double frequency_hz) {
  const auto nearer = [&](const Mode& a, const Mode& b) {
    return std::abs(a.frequency_hz - frequency_hz) < std::abs(b.frequency_hz - frequency_hz);
  };
  const auto best = std::min_element(result.modes.begin(), result.modes.end(), nearer);
  return best == result.modes.end() ? nullptr : &*best;
}

Table table_of(const ModesOutcome& result, std::string id, std::string title) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .header = {"mode", "frequency [Hz]", "± [Hz]", "damping [%]", "± [%]",
                         "damping known (1) or not (0)"},
              .caption = "All modes that the study reports."};
  table.values.resize(static_cast<Eigen::Index>(result.modes.size()), 5);
  for (std::size_t r = 0; r < result.modes.size(); ++r) {
    const Mode& mode = result.modes[r];
    table.rows.push_back({fmt::format("{}", r + 1)});
    table.values.row(static_cast<Eigen::Index>(r)) << mode.frequency_hz, mode.frequency_deviation,
        100.0 * mode.damping_ratio, 100.0 * mode.damping_deviation, mode.damping_known ? 1.0 : 0.0;
  }
  return table;
}

/// A mode that is known from elsewhere; damping 0: not compared.
struct KnownRecordMode {
  double frequency_hz, damping_percent;
  std::optional<double> published = {};
};

// The frequency of the nearest mode, against a publication or against what we ask of ourselves.
void claim_frequency(const ModesOutcome& result, const KnownRecordMode& known, double distance_hz,
                     const std::string& source, const std::string& record, Reproduction& all) {
  const Mode* mode = nearest_mode(result, known.frequency_hz);
  const bool printed = known.published == known.frequency_hz;
  Claim claim{.name = fmt::format("{}, mode at {} Hz", record, known.frequency_hz),
              .measured = mode == nullptr ? std::nan("") : mode->frequency_hz,
              .unit = "Hz",
              .published = known.published,
              .reference = printed ? std::optional<double>() : known.frequency_hz,
              .target = fmt::format("{:.4f} .. {:.4f}", known.frequency_hz - distance_hz,
                                    known.frequency_hz + distance_hz),
              .source = source};
  all.claims.push_back(printed ? compared(std::move(claim)) : promised(std::move(claim)));
}

void cantilever(const ReproduceOptions& options, Reproduction& all) {
  const ModesOutcome result = modes_of(kCantilever, options);
  constexpr std::array<KnownRecordMode, 4> known{
      {{6.619, 0.29, 6.62}, {41.39, 0.15, 41.4}, {116.9, 0.25, 117.5}, {192.2, 0.21, {}}}};
  for (const KnownRecordMode& one : known) {
    claim_frequency(result, one, 1e-3 * one.frequency_hz, kPrototype, "cantilever", all);
    const Mode* mode = nearest_mode(result, one.frequency_hz);
    all.claims.push_back(
        promised({.name = fmt::format("cantilever, damping of the mode at {} Hz", one.frequency_hz),
                  .measured = mode == nullptr ? std::nan("") : 100.0 * mode->damping_ratio,
                  .unit = "%",
                  .reference = one.damping_percent,
                  .target = within(one.damping_percent, 0.1),
                  .source = kPrototype}));
  }
  all.claims.push_back(
      promised({.name = "cantilever, modes that are reported",
                .measured = static_cast<double>(result.modes.size()),
                .target = "== 4",
                .source = "own promise: no mode but those, hum at 120 Hz is none"}));
  all.tables.push_back(table_of(result, "cantilever", "Cantilever, tapped"));
}

void mast(const ReproduceOptions& options, Reproduction& all) {
  const ModesOutcome result = modes_of(kMast, options);
  for (const double published : {1.229, 1.436, 2.100, 4.017, 4.769, 6.683, 7.614, 9.664}) {
    claim_frequency(result, {published, 0.0, published}, 3e-3 * published,
                    "pyOMA-dev/pyOMA, frequencies printed with the record", "mast", all);
  }
  all.tables.push_back(table_of(result, "mast", "Mast in wind"));
}

void measured_responses(const ReproduceOptions& options, Reproduction& all) {
  const ModesOutcome first = modes_of(kCase1, options);
  claim_frequency(first, {212.09, 0.0, 212.09}, 0.02,
                  "the Vibration-Testing project, mode of case 1", "case 1", all);
  // Leakage and a frequency that moves make one light mode look like three.
  const auto near = std::count_if(first.modes.begin(), first.modes.end(), [](const Mode& mode) {
    return std::abs(mode.frequency_hz - 212.09) < 2.0;
  });
  all.claims.push_back(promised({.name = "case 1, modes within 2 Hz of 212.09 Hz",
                                 .measured = static_cast<double>(near),
                                 .target = "== 1",
                                 .source = "own promise: one mode is reported once"}));
  all.tables.push_back(table_of(first, "case1", "Measured frequency response, case 1"));
  const ModesOutcome second = modes_of(kCase2, options);
  claim_frequency(second, {192.43, 0.0, {}}, 0.1, kPrototype, "case 2", all);
  const Mode* mode = nearest_mode(second, 192.43);
  all.claims.push_back(
      promised({.name = "case 2, damping called known",
                .measured = mode != nullptr && mode->damping_known ? 1.0 : 0.0,
                .target = "== 0",
                .source = "own promise: a mode narrower than a line has no damping "
                          "that the lines could tell"}));
  all.tables.push_back(table_of(second, "case2", "Measured frequency response, case 2"));
}

Table fits_of(const study::StateSpaceOutcome& result, std::string id, std::string title) {
  const identify::StateSpaceFit& estimation = result.found.estimation;
  const identify::StateSpaceFit& held = *result.found.validation;
  Table table{.id = std::move(id),
              .title = std::move(title),
              .header = {"output", "fit of the estimate [%]", "fit held back [%]",
                         "held back, one sample ahead [%]"},
              .caption = result.found.reason + "."};
  table.values.resize(static_cast<Eigen::Index>(held.outputs.size()), 3);
  for (std::size_t o = 0; o < held.outputs.size(); ++o) {
    const auto row = static_cast<Eigen::Index>(o);
    const double ahead = held.predicted.size() > 0 ? held.predicted(row, 0) : std::nan("");
    table.rows.push_back({fmt::format("{}", o + 1)});
    table.values.row(row) << estimation.outputs[o].fit_percent, held.outputs[o].fit_percent, ahead;
  }
  return table;
}

// What a state-space model simulates of the part of a record that took no part in any choice.
void state_space(const RecordOfStudy& record, const std::string& name, double mean,
                 std::optional<double> worst, const ReproduceOptions& options, Reproduction& all) {
  const study::StateSpaceOutcome result =
      study::run_state_space(std::move(*study_of(record, options).as<study::StateSpaceStudy>()));
  const identify::StateSpaceFit& held = *result.found.validation;
  const char* source =
      "own promise: more than N4SID with weights of MOESP (moen4) reaches on the same split";
  all.claims.push_back(promised({.name = name + ", mean fit of the outputs held back",
                                 .measured = held.mean_fit(),
                                 .unit = "%",
                                 .target = fmt::format(">= {}", mean),
                                 .source = source}));
  if (worst) {
    all.claims.push_back(promised({.name = name + ", worst fit of the outputs held back",
                                   .measured = held.worst_fit(),
                                   .unit = "%",
                                   .target = fmt::format(">= {}", *worst),
                                   .source = source}));
  }
  all.tables.push_back(fits_of(result, record.name, result.study.title));
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  Reproduction all;
  all.name = "measured-modes";
  all.title = "Modes of measured records";
  all.summary =
      "Frequencies and damping of four public measured records by [identify] method = \"modes\", "
      "and state-space models of two others by method = \"state-space\", each from its raw file "
      "and "
      "without any choice of a pole or an order by hand. The studies stand in "
      "studies/measured-modes.";
  cantilever(options, all);
  mast(options, all);
  measured_responses(options, all);
  state_space(kFrame, "steel frame, 28 outputs", 94.9, 91.8, options, all);
  state_space(kArm, "arm of a CD player, halves", 80.0, {}, options, all);
  return all;
}

}  // namespace alembert::reproductions::measured_modes
