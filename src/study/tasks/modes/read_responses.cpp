#include "study/tasks/modes/read_responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/uff_responses.hpp"
#include "study/parts/data/named_columns.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr Index kFewestFrfLines = 8;

bool is_universal(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending == ".uff" || ending == ".unv";
}

ColumnUse column_use(const std::string& name, const std::string& unit) {
  return {.name = name, .column = name, .column_unit = unit, .unit = unit};
}

// The names of data.outputs or data.inputs, all of the file where the study names none.
std::vector<Index> chosen_names(const TableReader& data, const std::string& key,
                                const std::vector<std::string>& known) {
  std::vector<Index> places;
  if (!data.has(key)) {
    for (std::size_t i = 0; i < known.size(); ++i) places.push_back(static_cast<Index>(i));
    return places;
  }
  for (const NamedColumn& one : read_named_columns(data, key, key == "inputs" ? "F" : "y")) {
    const auto found = std::find(known.begin(), known.end(), one.column.column);
    if (found == known.end()) {
      throw DataError(one.column.place,
                      fmt::format("{}: the file has no frequency response of \"{}\"; it has {}",
                                  one.column.key, one.column.column, fmt::join(known, ", ")));
    }
    places.push_back(static_cast<Index>(found - known.begin()));
  }
  return places;
}

identify::FrfData read_universal(const TableReader& data, const DataFile& file, ModesStudy& study) {
  const io::UffResponses all = io::read_uff_responses(file.path);
  const std::vector<Index> outputs = chosen_names(data, "outputs", all.outputs);
  const std::vector<Index> inputs = chosen_names(data, "inputs", all.inputs);
  identify::FrfData frf{.frequencies_hz = all.frequencies_hz,
                        .outputs = static_cast<Index>(outputs.size()),
                        .inputs = static_cast<Index>(inputs.size()),
                        .values = {}};
  frf.values.resize(frf.lines(), frf.outputs * frf.inputs);
  const auto known = static_cast<Index>(all.outputs.size());
  Index column = 0;
  for (const Index j : inputs) {
    for (const Index o : outputs) frf.values.col(column++) = all.values.col(j * known + o);
  }
  for (const Index o : outputs) {
    const auto at = static_cast<std::size_t>(o);
    study.outputs.push_back(column_use(all.outputs[at], all.output_units[at]));
  }
  for (const Index j : inputs) {
    const auto at = static_cast<std::size_t>(j);
    study.inputs.push_back(column_use(all.inputs[at], all.input_units[at]));
  }
  return frf;
}

// The columns NAME.re and NAME.im, with several forces NAME/FORCE.re and NAME/FORCE.im.
std::vector<FileColumn> response_columns(const ChannelColumns& columns) {
  std::vector<FileColumn> wanted;
  const std::size_t forces = std::max<std::size_t>(1, columns.inputs.size());
  for (std::size_t j = 0; j < forces; ++j) {
    for (const NamedColumn& output : columns.outputs) {
      std::string name = output.column.column;
      if (forces > 1) name += "/" + columns.inputs[j].column.column;
      for (const char* part : {".re", ".im"}) {
        wanted.push_back(
            {.key = output.column.key, .column = name + part, .place = output.column.place});
      }
    }
  }
  return wanted;
}

identify::FrfData read_table(const TableReader& data, const DataFile& file, ModesStudy& study) {
  for (const char* key : {"frequency", "outputs"}) {
    if (data.has(key)) continue;
    data.fail("frf", fmt::format("is a table: it needs data.{}", key));
  }
  const ChannelColumns columns = read_channel_columns(data, "F", "y");
  std::vector<FileColumn> wanted = response_columns(columns);
  const FileColumn lines{.key = data.name("frequency"),
                         .column = data.text("frequency"),
                         .place = data.place("frequency")};
  wanted.push_back(lines);
  const signal::Record record = only_record(read_columns_without_time(data, file, wanted), file);
  identify::FrfData frf{.frequencies_hz = record.values(lines.column),
                        .outputs = static_cast<Index>(columns.outputs.size()),
                        .inputs = std::max<Index>(1, static_cast<Index>(columns.inputs.size())),
                        .values = {}};
  frf.values.resize(frf.lines(), frf.outputs * frf.inputs);
  for (Index c = 0; c < frf.values.cols(); ++c) {
    const auto at = static_cast<std::size_t>(2 * c);
    frf.values.col(c).real() = record.values(wanted[at].column);
    frf.values.col(c).imag() = record.values(wanted[at + 1].column);
  }
  for (const NamedColumn& one : columns.outputs) study.outputs.push_back(column_use(one.name, ""));
  for (const NamedColumn& one : columns.inputs) study.inputs.push_back(column_use(one.name, ""));
  if (columns.inputs.empty()) study.inputs.push_back(column_use("force", ""));
  return frf;
}

// The lines of the band, without 0 Hz.
identify::FrfData in_band(const identify::FrfData& all, const ModesSettings& settings,
                          const DataFile& file) {
  const double from = settings.forced.from_hz.value_or(0.0);
  const double to = settings.forced.to_hz.value_or(1e300);
  std::vector<Index> kept;
  for (Index k = 0; k < all.lines(); ++k) {
    const double f = all.frequencies_hz(k);
    if (f > 0.0 && f >= from && f <= to) kept.push_back(k);
  }
  if (static_cast<Index>(kept.size()) < kFewestFrfLines) {
    throw DataError(file.place,
                    fmt::format("{}: {} has {} lines in the band; at least {} are needed", file.key,
                                file.name, kept.size(), kFewestFrfLines));
  }
  identify::FrfData part = all;
  part.frequencies_hz = all.frequencies_hz(kept);
  part.values = all.values(kept, Eigen::all);
  return part;
}

void check_responses_alive(const identify::FrfData& frf, const ModesStudy& study,
                           const DataFile& file) {
  for (Index o = 0; o < frf.outputs; ++o) {
    double size = 0.0;
    for (Index j = 0; j < frf.inputs; ++j) size += frf.values.col(j * frf.outputs + o).norm();
    if (size > 0.0) continue;
    throw DataError(file.place,
                    fmt::format("{}: the response \"{}\" is zero throughout; a dead "
                                "channel? leave it out",
                                file.key, study.outputs[static_cast<std::size_t>(o)].name));
  }
}

// More forces than responses, as with a roving hammer: by reciprocity they change places.
void swap_by_reciprocity(identify::FrfData& frf, ModesStudy& study) {
  if (frf.inputs <= frf.outputs) return;
  Eigen::MatrixXcd swapped(frf.values.rows(), frf.values.cols());
  for (Index o = 0; o < frf.outputs; ++o) {
    for (Index j = 0; j < frf.inputs; ++j) {
      swapped.col(o * frf.inputs + j) = frf.values.col(j * frf.outputs + o);
    }
  }
  frf.values = std::move(swapped);
  std::swap(frf.inputs, frf.outputs);
  std::swap(study.inputs, study.outputs);
  study.notes.push_back(
      "more forces than responses: by reciprocity the shapes are those at the forces");
}

}  // namespace

void read_modes_responses(const TableReader& data, const FileContext& files, ModesStudy& study) {
  const DataFile file = data_file(data, "frf", files);
  identify::FrfData all =
      is_universal(file.path) ? read_universal(data, file, study) : read_table(data, file, study);
  identify::FrfData frf = in_band(all, study.settings, file);
  check_responses_alive(frf, study, file);
  swap_by_reciprocity(frf, study);
  study.sources.push_back({.file = file.name, .start_time = 0.0});
  study.responses = std::move(frf);
}

}  // namespace alembert::study
