#include "study/tasks/modes/modes_keys.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "study/parts/data/tables_data.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/modes/geometry_keys.hpp"

namespace alembert::study {
namespace {

using identify::AmbientOptions;
using identify::DecayOptions;
using identify::FrfModesOptions;
using identify::PlscfOptions;
using identify::RecordModesOptions;
using signal::FrfOptions;
using signal::WelchOptions;

const TableSpec& modes_channels_table(bool inputs) {
  static const KeySpec force{
      .name = "NAME", .forms = kText, .help = "column of the file with the force NAME"};
  static const KeySpec response{
      .name = "NAME", .forms = kText, .help = "column of the file with the response NAME"};
  static const TableSpec forces{
      .path = "data.inputs", .help = "Measured forces.", .any_name = &force, .model = kForModes};
  static const TableSpec responses{
      .path = "data.outputs",
      .help = "Measured responses; accelerations, velocities or displacements, all of one kind.",
      .any_name = &response,
      .model = kForModes};
  return inputs ? forces : responses;
}

std::vector<KeySpec> frf_file_keys() {
  return {{.name = "frf",
           .forms = kText,
           .help = "file with frequency responses: a universal file (dataset 58, type 4), or a "
                   "table with the columns NAME.re and NAME.im for each response; with "
                   "several forces NAME/FORCE.re and NAME/FORCE.im"},
          {.name = "frequency",
           .forms = kText,
           .help = "column of a table of frequency responses with the frequencies in Hz"}};
}

const TableSpec& mode_windows_table() {
  static const TableSpec table{
      .path = "identify.poles",
      .help = "Your choice of modes. A click on the stabilisation diagram of the report writes it.",
      .keys = {{.name = "keep",
                .forms = kRows,
                .help = "rows of two frequencies in Hz: only modes between them are reported",
                .fallback_note = "all modes"},
               {.name = "drop",
                .forms = kRows,
                .help = "rows of two frequencies in Hz: no mode between them is reported",
                .fallback_note = "none"}},
      .model = kForModes};
  return table;
}

const TableSpec& modes_data_table() {
  static const TableSpec table{
      .path = "data",
      .help =
          "Records of forces and responses, of responses alone, or frequency responses: .csv .txt "
          ".dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm .wav .tdms. Several files are "
          "averaged and fitted together.",
      .keys = joined(joined(data_file_keys(), frf_file_keys()),
                     {{.name = "inputs",
                       .forms = kTexts | kTable,
                       .help = "force = column of the file, or a list of columns",
                       .fallback_note = "none: the forces are not known",
                       .table = &modes_channels_table(true)},
                      {.name = "outputs",
                       .forms = kTexts | kTable,
                       .help = "response = column of the file, or a list of columns",
                       .fallback_note = "all of a universal file with frequency responses",
                       .table = &modes_channels_table(false)},
                      detrend_key()}),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files", "frf"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForModes};
  return table;
}

template <typename... Members>
auto forced_field(Members... members) {
  return field_of(&ModesSettings::forced, members...);
}

// Keys that some kinds of data have no use for.
using Kinds = std::vector<ModesData>;

auto only_for(const Kinds& kinds) {
  return [kinds](const ModesSettings& settings) {
    return std::find(kinds.begin(), kinds.end(), settings.data) != kinds.end();
  };
}

constexpr const char* kNeedsForces = "has no place without data.inputs";
constexpr const char* kNotAmbient = "has no place with excitation = \"ambient\"";
constexpr const char* kNeedsAmbient = "has no place but with excitation = \"ambient\"";
constexpr const char* kNeedsTaps = "has no place without excitation = \"taps\"";

void add_band_keys(BoundKeys<ModesSettings>& keys) {
  keys.other({.name = "method",
              .forms = kText,
              .help = "what is found",
              .choices = {"modes"},
              .required = true})
      .key("from", forced_field(&RecordModesOptions::from_hz),
           {.help = "lower end of the band in which modes are sought",
            .unit = "Hz",
            .range = at_least(0.0),
            .fallback_note = "the first line"})
      .key("to", forced_field(&RecordModesOptions::to_hz),
           {.help = "upper end of the band",
            .unit = "Hz",
            .range = above(0.0),
            .fallback_note = "0.8 of half the sampling rate; all without forces"})
      .other({.name = "excitation",
              .forms = kText,
              .help = "what made the responses move where no force was measured: unknown forces "
                      "all the time, or a tap in each record, after which it decays freely",
              .choices = {std::string(name_of(ModesData::Ambient)),
                          std::string(name_of(ModesData::Taps))},
              .fallback = "\"ambient\""})
      .other({.name = "poles",
              .forms = kTable,
              .help = "the modes that are reported, by windows of frequency",
              .fallback_note = "all that are found",
              .table = &mode_windows_table()});
}

void add_spectrum_keys(BoundKeys<ModesSettings>& keys) {
  keys.key("segment",
           forced_field(&RecordModesOptions::frf, &FrfOptions::welch,
                        &WelchOptions::segment_samples),
           {.help = "samples of a segment of the averaged spectra; more resolve finer, fewer "
                    "average more",
            .range = at_least(16.0),
            .fallback_note = "eight segments"})
      .used_when(only_for({ModesData::Forces}), kNeedsForces)
      .key("overlap",
           forced_field(&RecordModesOptions::frf, &FrfOptions::welch, &WelchOptions::overlap),
           {.help = "share of a segment in the next one", .range = within(0.0, 0.95)})
      .used_when(only_for({ModesData::Forces}), kNeedsForces);
}

void add_choice_keys(BoundKeys<ModesSettings>& keys) {
  const auto modes = [](auto... members) {
    return forced_field(&RecordModesOptions::modes, members...);
  };
  keys.key("order", modes(&FrfModesOptions::plscf, &PlscfOptions::largest_order),
           {.help = "largest order of the stabilisation diagram",
            .range = within(2.0, 200.0),
            .fallback_note =
                "60, 40, 30 or 24 for 1, 2, 3 or more forces; ambient 80; after taps 40"})
      .key("track", modes(&FrfModesOptions::shortest_track),
           {.help = "orders over which a pole must be seen to be a candidate",
            .range = within(2.0, 100.0),
            .fallback_note = "5; after taps 6"})
      .used_when(only_for({ModesData::Forces, ModesData::Taps, ModesData::Frf}), kNotAmbient)
      .key("false-alarm", modes(&FrfModesOptions::false_alarm),
           {.help = "probability, over the whole band, that noise passes as a mode",
            .range = within(1e-9, 0.5)})
      .used_when(only_for({ModesData::Forces, ModesData::Taps, ModesData::Frf}), kNotAmbient)
      .key("refine", forced_field(&RecordModesOptions::refine),
           {.help = "fit the records themselves after the FRFs, free of windows and leakage"})
      .used_when(only_for({ModesData::Forces}), kNeedsForces)
      .key("blocks", field_of(&ModesSettings::ambient, &AmbientOptions::blocks),
           {.help = "parts of the records whose scatter gives the standard deviations",
            .range = within(8.0, 1000.0),
            .fallback_note = "one for 1024 samples, 8 to 32"})
      .used_when(only_for({ModesData::Ambient}), kNeedsAmbient)
      .key("block-rows", field_of(&ModesSettings::ambient, &AmbientOptions::block_rows),
           {.help = "block rows q of the matrix of covariances, which reach to a lag of 2 q - 1 "
                    "samples",
            .range = within(5.0, 1000.0),
            .fallback_note = "50, or more with few responses"})
      .used_when(only_for({ModesData::Ambient, ModesData::Taps}), "has no place with data.inputs")
      .key("start", field_of(&ModesSettings::taps, &DecayOptions::start),
           {.help = "time after the largest sample at which the decay begins",
            .unit = "s",
            .range = at_least(0.0),
            .fallback_note = "two periods of the lowest frequency"})
      .used_when(only_for({ModesData::Taps}), kNeedsTaps)
      .key("length", field_of(&ModesSettings::taps, &DecayOptions::length),
           {.help = "length of the decay that is used",
            .unit = "s",
            .range = above(0.0),
            .fallback_note = "until a tenth of the amplitude is left"})
      .used_when(only_for({ModesData::Taps}), kNeedsTaps);
}

void add_scale_keys(BoundKeys<ModesSettings>& keys) {
  keys.key("driving-point", field_of(&ModesSettings::driving_point),
           {.help = "response and force at one place in one direction, [\"a2\", \"F\"]: shapes get "
                    "unit modal mass, and modal-model.toml is written",
            .fallback_note = "none: shapes have no scale"})
      .used_when(only_for({ModesData::Forces, ModesData::Frf}), kNeedsForces)
      .key("measures", field_of(&ModesSettings::measures),
           {.help = "what the responses are", .fallback_note = "by their unit"})
      .used_when([](const ModesSettings& settings) { return !settings.driving_point.empty(); },
                 "has no place without driving-point");
}

const TableSpec& modes_table() {
  static const TableSpec table{
      .path = "identify",
      .help = "Frequencies, damping and shapes of the modes in a band, see modes.md.",
      .keys = modes_keys().specs(),
      .model = kForModes};
  return table;
}

}  // namespace

const BoundKeys<ModesSettings>& modes_keys() {
  static const BoundKeys<ModesSettings> keys = [] {
    BoundKeys<ModesSettings> list;
    add_band_keys(list);
    add_spectrum_keys(list);
    add_choice_keys(list);
    add_scale_keys(list);
    return list;
  }();
  return keys;
}

const TableSpec& modes_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of modes.",
                               .keys = {title_key(),
                                        author_key(),
                                        customer_key(),
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &modes_data_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: modes from records",
                                         .required = true,
                                         .table = &modes_table()},
                                        {.name = "geometry",
                                         .forms = kTable,
                                         .help = "nodes, lines and sensors, for moving shapes",
                                         .table = &geometry_table()}},
                               .model = kForModes};
  return table;
}

}  // namespace alembert::study
