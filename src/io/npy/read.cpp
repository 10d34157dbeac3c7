#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/npy.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/npy/header.hpp"
#include "io/npy/numbers.hpp"
#include "io/npy/zip.hpp"
#include "io/record/array_set.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {
namespace npy {
namespace {

constexpr std::string_view kEnding = ".npy";

// An array with its bytes; shared by the lazy arrays of its fields.
struct Held {
  std::string owned;
  std::string_view content;
  Header header;
  Size size;
};

std::shared_ptr<const Held> hold(std::string owned, std::string_view content, const Place& place) {
  auto held = std::make_shared<Held>();
  held->owned = std::move(owned);
  held->content = held->owned.empty() ? content : std::string_view(held->owned);
  held->header = npy::read_header(held->content, held->content.size(), place);
  held->size = npy::size_of(held->header, place);
  return held;
}

LazyArray lazy_field(const std::shared_ptr<const Held>& held, const Field& field,
                     const std::string& name) {
  return {.name = name,
          .rows = held->size.rows,
          .columns = held->size.columns * static_cast<Eigen::Index>(field.count),
          .complex = field.kind == 'c',
          .single_precision = field.kind == 'f' && field.size <= 4,
          .load = [held, &field] {
            return npy::numbers_of(held->header, field, held->size, held->content);
          }};
}

// One array, or one for each field that holds numbers.
void add_arrays(const std::shared_ptr<const Held>& held, const std::string& name, ArraySet& set) {
  for (const Field& field : held->header.fields) {
    if (field.is_number()) {
      set.arrays.push_back(lazy_field(held, field, held->header.structured ? field.name : name));
    }
  }
}

// Columns without names: c1, c2, ...; the longer side is the time.
signal::Record plain_record(const Held& held, const Place& place, const ReadOptions& options) {
  const Field& field = held.header.fields.front();
  if (!field.is_number() || field.kind == 'c') {
    throw DataError(place, fmt::format("an array of {} is no record of real numbers",
                                       excerpt(held.header.type)));
  }
  if (held.size.rows == 0) {
    throw DataError(place, "holds no numbers: one side of the array is 0 long");
  }
  require_room(place.file, "an array", static_cast<std::uintmax_t>(held.size.rows),
               static_cast<std::uintmax_t>(held.size.columns), sizeof(double), options.limits);
  RecordParts parts{.place = place};
  parts.samples = npy::numbers_of(held.header, field, held.size, held.content).real;
  if (parts.samples.cols() > parts.samples.rows()) {
    parts.samples.transposeInPlace();
  }
  for (Eigen::Index column = 1; column <= parts.samples.cols(); ++column) {
    parts.channels.push_back({fmt::format("c{}", column)});
  }
  parts.axis_problem = "an array does not say when its rows were taken: give the step";
  return finished_record(std::move(parts), options);
}

// Texts of fixed length, as write_npz writes names and units.
std::vector<std::string> texts_of(const Held& held) {
  std::vector<std::string> texts;
  if (!held.header.type.starts_with("|S")) {
    return texts;
  }
  for (Eigen::Index row = 0; row < held.size.rows * held.size.columns; ++row) {
    const std::string_view text =
        held.content.substr(held.header.begin + static_cast<std::size_t>(row) * held.header.element,
                            held.header.element);
    texts.push_back(to_utf8(text.substr(0, text.find('\0'))));
  }
  return texts;
}

void set_units(const std::vector<std::string>& names, const std::vector<std::string>& units,
               ArraySet& set) {
  for (std::size_t i = 0; i < std::min(names.size(), units.size()); ++i) {
    for (LazyArray& array : set.arrays) {
      if (array.name == names[i]) {
        array.unit = units[i];
      }
    }
  }
}

// Members that are arrays, under their names without the ending.
std::vector<Member> arrays_of(std::string_view content, const Place& place) {
  std::vector<Member> members = npy::list_members(content, place);
  std::erase_if(members, [](const Member& member) {
    return member.name.size() <= kEnding.size() || !member.name.ends_with(kEnding);
  });
  for (Member& member : members) {
    member.name.resize(member.name.size() - kEnding.size());
  }
  if (members.empty()) {
    throw DataError(place, "is an archive without arrays of NumPy");
  }
  return members;
}

std::vector<std::string> names_of(const std::vector<Member>& members) {
  std::vector<std::string> names;
  for (const Member& member : members) {
    names.push_back(member.name);
  }
  return names;
}

signal::Records archive_records(std::string_view content, const Place& place,
                                const ReadOptions& options) {
  const std::vector<Member> members = arrays_of(content, place);
  const std::vector<std::string> names = names_of(members);
  if (!options.dataset.empty() &&
      std::find(names.begin(), names.end(), options.dataset) == names.end()) {
    throw DataError(place, unknown_name("array", options.dataset, names));
  }
  ArraySet set{.place = place};
  std::vector<std::string> channels;
  std::vector<std::string> units;
  std::uintmax_t held_bytes = 0;
  for (const Member& member : members) {
    // Beside a chosen array only what may give the time counts.
    const bool chosen = options.dataset.empty() || member.name == options.dataset;
    const auto held = hold(npy::unpack(content, member, place, options.limits), {}, place);
    const bool gives_time = (held->size.rows == 1 && held->size.columns == 1) ||
                            (is_time_name(member.name) && held->size.columns == 1);
    if (chosen || gives_time) {
      held_bytes += member.size;
      require_room(place.file, "all members", held_bytes, 1, 1, options.limits);
      add_arrays(held, member.name, set);
    }
    if (member.name == "names") channels = texts_of(*held);
    if (member.name == "units") units = texts_of(*held);
  }
  set_units(channels, units, set);
  return {assemble_record(set, options)};
}

signal::Records records_of(std::string_view content, const Place& place,
                           const ReadOptions& options) {
  if (npy::begins_like_zip(content)) {
    return archive_records(content, place, options);
  }
  if (!options.dataset.empty()) {
    throw DataError(place, fmt::format("has no data set {}: a .npy file holds a single array",
                                       excerpt(options.dataset)));
  }
  const auto held = hold({}, content, place);
  if (!held->header.structured) {
    return {plain_record(*held, place, options)};
  }
  ArraySet set{.place = place};
  add_arrays(held, "", set);
  return {assemble_record(set, options)};
}

// The bytes of the array that a name chooses; the archive must outlive it unless `owned` holds it.
std::shared_ptr<const Held> chosen_array(std::string_view content, const std::string& dataset,
                                         const Place& place, const ReadLimits& limits) {
  if (!npy::begins_like_zip(content)) {
    return hold({}, content, place);
  }
  const std::vector<Member> members = arrays_of(content, place);
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == dataset; });
  if (found == members.end() && !(dataset.empty() && members.size() == 1)) {
    throw DataError(place, dataset.empty()
                               ? fmt::format("holds {} arrays: name one", members.size())
                               : unknown_name("array", dataset, names_of(members)));
  }
  const Member& member = found == members.end() ? members.front() : *found;
  return hold(npy::unpack(content, member, place, limits), {}, place);
}

StoredArray stored(const Header& header, const std::string& name) {
  StoredArray array{.name = name, .size = {}, .type = header.type};
  for (const std::uintmax_t length : header.shape) {
    array.size.push_back(static_cast<long long>(length));
  }
  return array;
}

}  // namespace
}  // namespace npy

signal::Records read_npy(const std::filesystem::path& file, const ReadOptions& options) {
  return read_within_memory(
      file, [&] { return parse_npy(read_content(file, options.limits), file.string(), options); });
}

signal::Records parse_npy(std::string_view content, const std::string& name,
                          const ReadOptions& options) {
  return npy::records_of(content, {.file = name}, options);
}

Eigen::MatrixXd read_npy_matrix(const std::filesystem::path& file, const std::string& dataset,
                                const ReadLimits& limits) {
  return read_within_memory(file, [&]() -> Eigen::MatrixXd {
    const Place place{.file = file.string()};
    const std::string content = read_content(file, limits);
    const auto held = npy::chosen_array(content, dataset, place, limits);
    const npy::Field& field = held->header.fields.front();
    if (held->header.structured || !field.is_number() || field.kind == 'c') {
      throw DataError(place, fmt::format("an array of {} is no matrix of real numbers",
                                         excerpt(held->header.type)));
    }
    require_room(place.file, "an array", static_cast<std::uintmax_t>(held->size.rows),
                 static_cast<std::uintmax_t>(held->size.columns), sizeof(double), limits);
    return npy::numbers_of(held->header, field, held->size, held->content).real;
  });
}

std::vector<StoredArray> list_npy(const std::filesystem::path& file) {
  const Place place{.file = file.string()};
  const std::string content = read_content(file);
  if (!npy::begins_like_zip(content)) {
    return {npy::stored(npy::read_header(content, content.size(), place), "")};
  }
  std::vector<StoredArray> arrays;
  for (const npy::Member& member : npy::arrays_of(content, place)) {
    const std::string array = npy::unpack(content, member, place, {});
    arrays.push_back(npy::stored(npy::read_header(array, array.size(), place), member.name));
  }
  return arrays;
}

}  // namespace alembert::io
