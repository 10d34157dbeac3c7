#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/tdms.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/array_set.hpp"
#include "io/record/record_parts.hpp"
#include "io/tdms/metadata.hpp"
#include "io/tdms/raw_data.hpp"

namespace alembert::io {
namespace tdms {
namespace {

// Channels of one group that were sampled together.
struct Together {
  std::string group;
  std::vector<const Object*> channels;
};

bool is_channel(const Object& object) {
  return object.names.size() == 2 && tdms::size_of(object.type) > 0 && object.count() > 0;
}

std::optional<double> step_of(const Object& channel) {
  const std::optional<double> step = channel.number("wf_increment");
  return step && *step > 0.0 ? step : std::nullopt;  // 0 where nothing was measured over time
}

// What channels that were sampled together have in common; numbers by their bits.
using Sampling = std::tuple<std::string, std::uintmax_t, std::uint64_t, std::uint64_t>;

std::uint64_t bits_of(const std::optional<double>& number) {
  return std::bit_cast<std::uint64_t>(number.value_or(-1.0) + 0.0);  // 0 and -0 are the same
}

Sampling sampling_of(const Object& channel) {
  return {channel.names[0], channel.count(), bits_of(step_of(channel)),
          bits_of(channel.number("wf_start_offset").value_or(0.0))};
}

std::vector<Together> groups_of(const std::vector<Object>& objects) {
  std::vector<Together> groups;
  std::map<Sampling, std::size_t> places;
  for (const Object& object : objects) {
    if (!is_channel(object)) continue;
    const auto [place, fresh] = places.try_emplace(sampling_of(object), groups.size());
    if (fresh) groups.push_back({object.names[0], {}});
    groups[place->second].channels.push_back(&object);
  }
  return groups;
}

std::string unit_of(const Object& channel) {
  const auto found = channel.texts.find("unit_string");
  return found == channel.texts.end() ? std::string() : found->second;
}

ArraySet set_of(const Together& group, std::string_view content, const Place& place) {
  ArraySet set{.place = place, .title = group.group};
  std::vector<std::string> names;
  for (const Object* channel : group.channels) {
    names.push_back(channel->names[1].empty() ? "channel" : channel->names[1]);
  }
  make_unique(names);
  for (std::size_t c = 0; c < group.channels.size(); ++c) {
    const Object* channel = group.channels[c];
    set.arrays.push_back(
        {.name = names[c],
         .unit = unit_of(*channel),
         .rows = static_cast<Eigen::Index>(channel->count()),
         .columns = 1,
         .single_precision = channel->type == tdms::Type::Single,
         .load = [content, channel] { return ArrayValues{tdms::numbers_of(content, *channel)}; }});
  }
  const Object& first = *group.channels.front();
  if (const std::optional<double> step = step_of(first)) {
    set.axis = axis_of_step(static_cast<Eigen::Index>(first.count()), *step,
                            first.number("wf_start_offset").value_or(0.0), "wf_increment", place);
  }
  return set;
}

std::vector<std::string> names_of(const std::vector<Together>& groups) {
  std::vector<std::string> names;
  for (const Together& group : groups) {
    names.push_back(group.group);
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace
}  // namespace tdms

signal::Records parse_tdms(std::string_view content, const std::string& name,
                           const ReadOptions& options) {
  const Place place{.file = name};
  const std::vector<tdms::Object> objects = tdms::read_objects(content, place, options.limits);
  const std::vector<tdms::Together> groups = tdms::groups_of(objects);
  if (groups.empty()) {
    throw DataError(place, "holds no channel of numbers");
  }
  std::vector<ArraySet> sets;
  for (const tdms::Together& group : groups) {
    if (options.dataset.empty() || options.dataset == group.group) {
      sets.push_back(tdms::set_of(group, content, place));
    }
  }
  if (sets.empty()) {
    throw DataError(place, unknown_name("group", options.dataset, tdms::names_of(groups)));
  }
  return assemble_records(sets, options);
}

signal::Records read_tdms(const std::filesystem::path& file, const ReadOptions& options) {
  return read_within_memory(
      file, [&] { return parse_tdms(read_content(file, options.limits), file.string(), options); });
}

std::vector<StoredArray> list_tdms(const std::filesystem::path& file) {
  const std::string content = read_content(file);
  std::vector<StoredArray> arrays;
  for (const tdms::Object& object : tdms::read_objects(content, {.file = file.string()})) {
    if (tdms::is_channel(object)) {
      arrays.push_back({.name = fmt::format("{}/{}", object.names[0], object.names[1]),
                        .size = {static_cast<long long>(object.count())},
                        .type = fmt::format("{} bytes", tdms::size_of(object.type))});
    }
  }
  return arrays;
}

}  // namespace alembert::io
