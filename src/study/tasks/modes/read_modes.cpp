#include "study/tasks/modes/read_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "study/parts/responses/response_records.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/modes/modes_keys.hpp"
#include "study/tasks/modes/read_geometry.hpp"
#include "study/tasks/modes/read_responses.hpp"

namespace alembert::study {
namespace {

void read_mode_windows(const TableReader& poles, const char* key, bool keep,
                       std::vector<identify::ModeWindow>& windows) {
  if (!poles.has(key)) return;
  const Eigen::MatrixXd rows = poles.rows(key);
  if (rows.cols() != 2) {
    poles.fail(key, fmt::format("must have rows of two frequencies, got rows of {}", rows.cols()));
  }
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    if (!(rows(i, 0) < rows(i, 1))) {
      poles.fail(key, fmt::format("must have rows that rise, got [{:.6g}, {:.6g}]", rows(i, 0),
                                  rows(i, 1)));
    }
    windows.push_back({.from_hz = rows(i, 0), .to_hz = rows(i, 1), .keep = keep});
  }
}

// One key for the fields of several methods.
void share_settings(const TableReader& identify, ModesSettings& settings) {
  const identify::RecordModesOptions& forced = settings.forced;
  settings.ambient.from_hz = settings.taps.from_hz = forced.from_hz;
  settings.ambient.to_hz = settings.taps.to_hz = forced.to_hz;
  settings.ambient.windows = settings.taps.windows = forced.modes.windows;
  settings.taps.false_alarm = forced.modes.false_alarm;
  settings.taps.block_rows = settings.ambient.block_rows;
  if (identify.has("track")) settings.taps.shortest_track = forced.modes.shortest_track;
  if (identify.has("order")) {
    settings.taps.largest_order = forced.modes.plscf.largest_order;
    settings.ambient.largest_order = forced.modes.plscf.largest_order;
    settings.ambient.smallest_order = std::min(10, settings.ambient.largest_order);
  }
}

// What is measured follows from the keys of [data]; what moved the rest is said in [identify].
ModesData kind_of_data(const TableReader& data, const TableReader& identify) {
  const bool said = identify.has("excitation");
  if (data.has("frf") || data.has("inputs")) {
    if (said) {
      identify.fail_at_key("excitation", fmt::format("excitation has no place with {}",
                                                     data.has("frf") ? "data.frf" : "data.inputs"));
    }
    return data.has("frf") ? ModesData::Frf : ModesData::Forces;
  }
  return enum_named<ModesData>(identify.text("excitation")).value_or(ModesData::Ambient);
}

void read_modes_settings(const TableReader& identify, ModesSettings& settings) {
  modes_keys().read(identify, settings);
  modes_keys().refuse_unused(identify, settings);
  identify::RecordModesOptions& forced = settings.forced;
  const TableReader poles = identify.table("poles");
  read_mode_windows(poles, "keep", true, forced.modes.windows);
  read_mode_windows(poles, "drop", false, forced.modes.windows);
  if (forced.from_hz && forced.to_hz && *forced.from_hz >= *forced.to_hz) {
    identify.fail("to", fmt::format("must be above identify.from, got {:.6g} Hz", *forced.to_hz));
  }
  share_settings(identify, settings);
}

void take_records(ResponseRecords records, ModesStudy& study) {
  study.inputs = std::move(records.inputs);
  study.outputs = std::move(records.outputs);
  study.experiments = std::move(records.experiments);
  study.sources = std::move(records.sources);
  study.step = records.step;
  study.notes = std::move(records.notes);
}

// The band must lie below half the sampling rate.
void check_modes_band(const TableReader& identify, const ModesStudy& study) {
  const double most = 0.5 / study.step;
  for (const char* key : {"from", "to"}) {
    const std::optional<double> f = identify.optional_number(key);
    if (!f || *f < most) continue;
    identify.fail(key, fmt::format("must be below half the sampling rate of {:.6g} Hz, got {:.6g}",
                                   2.0 * most, *f));
  }
}

Eigen::Index place_of_column(const TableReader& identify, const std::vector<ColumnUse>& columns,
                             const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (const ColumnUse& one : columns) {
    if (one.name == name) return static_cast<Eigen::Index>(names.size());
    names.push_back(one.name);
  }
  identify.fail("driving-point",
                fmt::format("names no {} \"{}\"{}", what, name, suggestion(name, names)));
}

// What a unit says of a response: m/s^2 and g are accelerations.
std::optional<model::Motion> motion_of_unit(const std::string& unit) {
  const std::pair<const char*, model::Motion> known[] = {{"m", model::Motion::Displacement},
                                                         {"m/s", model::Motion::Velocity},
                                                         {"m/s^2", model::Motion::Acceleration}};
  for (const auto& [name, motion] : known) {
    const signal::UnitRelation relation = signal::compare_units(unit, name);
    if (relation == signal::UnitRelation::Same || relation == signal::UnitRelation::Convertible) {
      return motion;
    }
  }
  return std::nullopt;
}

void read_driving_point(const TableReader& identify, ModesStudy& study) {
  const std::vector<std::string>& names = study.settings.driving_point;
  if (names.empty()) return;
  if (names.size() != 2) {
    identify.fail("driving-point",
                  fmt::format("must name a response and a force, got {} names", names.size()));
  }
  ModesScale scale;
  scale.point = {.output = place_of_column(identify, study.outputs, names[0], "response"),
                 .input = place_of_column(identify, study.inputs, names[1], "force")};
  const std::string& unit =
      study.outputs[static_cast<std::size_t>(scale.point.output)].known_unit();
  const std::optional<model::Motion> motion =
      study.settings.measures ? study.settings.measures : motion_of_unit(unit);
  if (!motion) {
    identify.fail("measures",
                  fmt::format("is needed with driving-point: the unit \"{}\" of {} does not say "
                              "whether it is a displacement, velocity or acceleration",
                              unit, names[0]));
  }
  scale.motion = *motion;
  study.scale = scale;
}

}  // namespace

ModesStudy read_modes(const TableReader& root, const FileContext& files,
                      std::vector<Problem>& problems) {
  ModesStudy study;
  const TableReader identify = root.table("identify");
  const TableReader data = root.table("data");
  attempt(problems, [&] {
    study.settings.data = kind_of_data(data, identify);
    read_modes_settings(identify, study.settings);
  });
  bool read = false;
  if (data.has("frf")) {
    read = attempt(problems, [&] { read_modes_responses(data, files, study); });
  } else {
    read = attempt(problems, [&] { take_records(read_response_records(data, files), study); });
    if (read) attempt(problems, [&] { check_modes_band(identify, study); });
  }
  if (read) attempt(problems, [&] { read_driving_point(identify, study); });
  if (read && root.has("geometry")) {
    attempt(problems, [&] { read_modes_geometry(root.table("geometry"), files, study); });
  }
  return study;
}

}  // namespace alembert::study
