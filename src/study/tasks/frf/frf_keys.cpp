#include "study/tasks/frf/frf_keys.hpp"

#include <string>
#include <vector>

#include "study/parts/data/tables_data.hpp"
#include "study/schema/shared_keys.hpp"

namespace alembert::study {
namespace {

using signal::FrfEstimator;
using signal::FrfOptions;
using signal::LocalFrfOptions;
using signal::WelchOptions;

constexpr const char* kForFrf = "frf";

const TableSpec& frf_channels_table(bool inputs) {
  static const KeySpec force{
      .name = "NAME", .forms = kText, .help = "column of the file with the input NAME"};
  static const KeySpec response{
      .name = "NAME", .forms = kText, .help = "column of the file with the response NAME"};
  static const TableSpec forces{
      .path = "data.inputs",
      .help = "What drives the structure: forces, or the motion of its base.",
      .any_name = &force,
      .model = kForFrf};
  static const TableSpec responses{.path = "data.outputs",
                                   .help = "Measured responses of any kind.",
                                   .any_name = &response,
                                   .model = kForFrf};
  return inputs ? forces : responses;
}

const TableSpec& frf_data_table() {
  static const TableSpec table{
      .path = "data",
      .help = "Records of inputs and responses. Several files are averaged together.",
      .keys =
          joined(data_file_keys(), {{.name = "inputs",
                                     .forms = kTexts | kTable,
                                     .help = "input = column of the file, or a list of columns",
                                     .required = true,
                                     .table = &frf_channels_table(true)},
                                    {.name = "outputs",
                                     .forms = kTexts | kTable,
                                     .help = "response = column of the file, or a list of columns",
                                     .required = true,
                                     .table = &frf_channels_table(false)},
                                    detrend_key()}),
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "files"}},
                {.kind = KeyRule::Kind::AtMostOne, .keys = {"time", "step"}}},
      .model = kForFrf};
  return table;
}

const std::vector<EnumName<FrfEstimator>>& estimator_names() {
  static const std::vector<EnumName<FrfEstimator>> names = {
      {FrfEstimator::H1, "H1"}, {FrfEstimator::H2, "H2"}, {FrfEstimator::Hv, "Hv"}};
  return names;
}

auto only_by(FrfAverage average) {
  return [average](const FrfSettings& settings) { return settings.average == average; };
}

void add_average_keys(BoundKeys<FrfSettings>& keys) {
  keys.key("average", &FrfSettings::average,
           {.help = "what is averaged: segments with a window; the periods of records that repeat; "
                    "or nothing, with local polynomials about each line of whole records, which "
                    "take leakage out"})
      .choice("estimator", field_of(&FrfSettings::averaged, &FrfOptions::estimator),
              estimator_names(),
              {.help = "where the noise is thought to be: on the responses (H1), on the inputs "
                       "(H2), on both (Hv)"})
      .used_when([](const FrfSettings& settings) { return settings.average != FrfAverage::Local; },
                 "has no place with average = \"local\"")
      .key("segment",
           field_of(&FrfSettings::averaged, &FrfOptions::welch, &WelchOptions::segment_samples),
           {.help = "samples of a segment; more resolve finer, fewer average more",
            .range = at_least(16.0),
            .fallback_note = "eight segments"})
      .used_when(only_by(FrfAverage::Segments), "has no place without average = \"segments\"")
      .key("overlap", field_of(&FrfSettings::averaged, &FrfOptions::welch, &WelchOptions::overlap),
           {.help = "share of a segment in the next one", .range = within(0.0, 0.95)})
      .used_when(only_by(FrfAverage::Segments), "has no place without average = \"segments\"")
      .key("period", field_of(&FrfSettings::averaged, &FrfOptions::period_samples),
           {.help = "samples of a period", .range = at_least(2.0), .fallback_note = "none"})
      .used_when(only_by(FrfAverage::Periods), "has no place without average = \"periods\"")
      .key("settle", field_of(&FrfSettings::averaged, &FrfOptions::settle_periods),
           {.help = "periods that are left out at the beginning", .range = at_least(0.0)})
      .used_when(only_by(FrfAverage::Periods), "has no place without average = \"periods\"")
      .key("degree", field_of(&FrfSettings::local, &LocalFrfOptions::degree),
           {.help = "of the local polynomials", .range = within(1.0, 6.0)})
      .used_when(only_by(FrfAverage::Local), "has no place without average = \"local\"")
      .key("lines", field_of(&FrfSettings::local, &LocalFrfOptions::half_width),
           {.help = "lines on either side of each that its polynomial is fitted to",
            .range = within(1.0, 1000.0),
            .fallback_note = "the fewest that leave 6 more rows than unknowns"})
      .used_when(only_by(FrfAverage::Local), "has no place without average = \"local\"");
}

const TableSpec& frf_table() {
  static const TableSpec table{.path = "identify",
                               .help = "Frequency response functions of the records, see frf.md.",
                               .keys = frf_keys().specs(),
                               .model = kForFrf};
  return table;
}

}  // namespace

const BoundKeys<FrfSettings>& frf_keys() {
  static const BoundKeys<FrfSettings> keys = [] {
    BoundKeys<FrfSettings> list;
    list.other({.name = "method",
                .forms = kText,
                .help = "what is found",
                .choices = {"frf"},
                .required = true})
        .other({.name = "from",
                .forms = kNumber,
                .help = "first frequency that is reported",
                .unit = "Hz",
                .range = at_least(0.0),
                .fallback_note = "the first line"})
        .other({.name = "to",
                .forms = kNumber,
                .help = "last frequency that is reported",
                .unit = "Hz",
                .range = above(0.0),
                .fallback_note = "half the sampling rate"});
    add_average_keys(list);
    return list;
  }();
  return keys;
}

const TableSpec& frf_root_table() {
  static const TableSpec table{.path = "",
                               .help = "A study of frequency responses.",
                               .keys = {title_key(),
                                        author_key(),
                                        customer_key(),
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "what was measured",
                                         .required = true,
                                         .table = &frf_data_table()},
                                        {.name = "identify",
                                         .forms = kTable,
                                         .help = "task: frequency responses of records",
                                         .required = true,
                                         .table = &frf_table()}},
                               .model = kForFrf};
  return table;
}

}  // namespace alembert::study
