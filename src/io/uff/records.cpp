#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "alembert/core/text.hpp"
#include "alembert/io/uff.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/record_parts.hpp"
#include "io/record/time_column.hpp"
#include "io/uff/mark.hpp"
#include "io/uff/names.hpp"
#include "io/uff/parse.hpp"
#include "io/uff/quantities.hpp"

namespace alembert::io {

namespace {

// Record 7 keeps at least 6 digits of start and step: the mark is believed if it agrees with them.
constexpr double kHeaderDigits = 1e-5;

// The functions of a record; their numbers are given up as they are copied into it.
using Group = std::vector<UffFunction*>;

bool is_time_response(const UffFunction& function) {
  return function.type == kUffTimeResponse ||
         (function.type == 0 && function.abscissa.data_type == kUffTime);
}

bool same_axis(const UffFunction& a, const UffFunction& b) {
  return a.real.size() == b.real.size() && a.is_even() == b.is_even() && a.start == b.start &&
         a.step == b.step && a.x == b.x;
}

bool same_response(const UffFunction& a, const UffFunction& b) {
  return a.id[0] == b.id[0] && a.response_name == b.response_name &&
         a.response_node == b.response_node && a.response_direction == b.response_direction;
}

// Where a function of this program belongs: to the record its mark names.
Group* marked_group(std::vector<Group>& groups, const UffMark& mark) {
  for (Group& group : groups) {
    const auto other = parse_mark(group.front()->id[4]);
    if (other && other->record == mark.record) {
      return &group;
    }
  }
  return nullptr;
}

// Where another program's function belongs: to the latest record on the same axis, unless that has
// its response already. Then a new experiment begins, and what follows belongs to it.
Group* foreign_group(std::vector<Group>& groups, const UffFunction& function) {
  const auto latest = std::find_if(groups.rbegin(), groups.rend(), [&](const Group& group) {
    return !parse_mark(group.front()->id[4]) && same_axis(function, *group.front());
  });
  if (latest == groups.rend()) {
    return nullptr;
  }
  const bool repeated = std::any_of(latest->begin(), latest->end(), [&](const UffFunction* member) {
    return same_response(function, *member);
  });
  return repeated ? nullptr : &*latest;
}

std::vector<Group> groups_of(std::vector<UffFunction>& functions) {
  std::vector<Group> groups;
  for (UffFunction& function : functions) {
    if (!is_time_response(function)) {
      continue;
    }
    const auto mark = parse_mark(function.id[4]);
    Group* group = mark ? marked_group(groups, *mark) : foreign_group(groups, function);
    if (group == nullptr) {
      group = &groups.emplace_back();
    }
    group->push_back(&function);
  }
  return groups;
}

std::string response_text(const UffFunction& function) {
  return dof_name(function.response_name, function.response_node, function.response_direction);
}

bool id_lines_name(const Group& group) {
  std::set<std::string_view> seen;
  return std::all_of(group.begin(), group.end(), [&](const UffFunction* function) {
    return !is_none(function->id[0]) && seen.insert(trimmed(function->id[0])).second;
  });
}

// The label, or the SI unit of the quantity where a dataset 164 without scaling is in force.
std::string unit_of(const UffFunction& function) {
  if (!is_none(function.ordinate.unit)) {
    return to_utf8(trimmed(function.ordinate.unit));
  }
  const UffUnits& units = function.units;
  if (units.code != 0 && units.length == 1.0 && units.force == 1.0) {
    for (const UffQuantity& quantity : kUffQuantities) {
      if (quantity.data_type == function.ordinate.data_type) {
        return std::string(quantity.unit);
      }
    }
  }
  return {};
}

std::vector<signal::Channel> foreign_channels(const Group& group) {
  const bool by_id = id_lines_name(group);
  std::vector<std::string> names;
  for (const UffFunction* function : group) {
    names.push_back(by_id ? to_utf8(trimmed(function->id[0])) : response_text(*function));
  }
  make_unique(names);
  std::vector<signal::Channel> channels;
  for (std::size_t c = 0; c < group.size(); ++c) {
    const std::string& text = by_id ? group[c]->ordinate.label : group[c]->id[0];
    channels.push_back({names[c], unit_of(*group[c]), is_none(text) ? "" : to_utf8(trimmed(text))});
  }
  return channels;
}

std::vector<signal::Channel> own_channels(const Group& group) {
  std::vector<signal::Channel> channels;
  for (const UffFunction* function : group) {
    channels.push_back({unescaped(function->id[0]), unescaped(function->ordinate.unit),
                        unescaped(function->id[3])});
  }
  return channels;
}

std::string title_of(const Group& group, bool own) {
  const std::string& title = group.front()->id[1];
  const bool all = std::all_of(group.begin(), group.end(), [&](const UffFunction* function) {
    return function->id[1] == title;
  });
  if (own) {
    return unescaped(title);
  }
  return all && !is_none(title) ? to_utf8(trimmed(title)) : std::string();
}

// Equipment writes s, (s), [s], SEC ...
std::optional<double> abscissa_seconds(std::string_view label) {
  std::string unit;
  for (const char letter : is_none(label) ? std::string_view() : label) {
    if (std::string_view(" []().").find(letter) == std::string_view::npos) {
      unit += static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    }
  }
  return seconds_in(unit);
}

bool agrees(double exact, double header) {
  return std::abs(exact - header) <= kHeaderDigits * std::abs(exact);
}

void set_axis(const UffFunction& function, RecordParts& parts) {
  const std::optional<double> unit = abscissa_seconds(function.abscissa.unit);
  if (!unit) {
    parts.axis_problem = fmt::format("unit {} of the time axis is not known: give a step in s",
                                     excerpt(function.abscissa.unit));
    return;
  }
  if (!function.is_even()) {
    const auto mark = parse_mark(function.id[4]);
    Eigen::VectorXd times = function.x;
    scale_times(times, *unit);
    const double rounding = function.single_precision ? 6e-8 : 0.0;
    parts.axis = mark ? given_axis(times, "abscissa", parts.place)
                      : axis_of_times(times, rounding, "abscissa", parts.place);
    return;
  }
  Eigen::VectorXd start_and_step = Eigen::Vector2d(function.start, function.step);
  scale_times(start_and_step, *unit);
  double start = start_and_step(0);
  double step = start_and_step(1);
  const auto mark = parse_mark(function.id[4]);
  if (mark && mark->start && mark->step && agrees(*mark->start, start) &&
      agrees(*mark->step, step)) {
    start = *mark->start;
    step = *mark->step;
  }
  parts.axis = axis_of_step(function.real.size(), step, start, "abscissa", parts.place);
}

Eigen::Index column_count(const Group& group) {
  Eigen::Index columns = 0;
  for (const UffFunction* function : group) {
    columns += function->is_complex() ? 2 : 1;
  }
  return columns;
}

// A file cut between two datasets is well-formed; only the mark knows what is missing.
void check_complete(const std::vector<Group>& groups, const std::string& file) {
  for (const Group& group : groups) {
    const auto mark = parse_mark(group.front()->id[4]);
    if (mark && mark->channels != static_cast<long long>(group.size())) {
      throw DataError({.file = file},
                      fmt::format("record {} has {} of {} channels (truncated file?)", mark->record,
                                  group.size(), mark->channels));
    }
    if (mark && mark->records > static_cast<long long>(groups.size())) {
      throw DataError({.file = file}, fmt::format("the file has {} of {} records (truncated file?)",
                                                  groups.size(), mark->records));
    }
  }
}

bool is_own(const Group& group) { return parse_mark(group.front()->id[4]).has_value(); }

void check_axes(const Group& group) {
  for (const UffFunction* function : group) {
    if (!same_axis(*function, *group.front())) {
      throw DataError(function->place,
                      "this function and the first of its record have different abscissae");
    }
  }
}

// Moves the numbers out of the functions: each is freed once it is copied.
void fill(const std::vector<signal::Channel>& channels, const Group& group, RecordParts& parts) {
  parts.samples.resize(group.front()->real.size(), column_count(group));
  for (std::size_t c = 0; c < group.size(); ++c) {
    UffFunction& function = *group[c];
    const auto column = static_cast<Eigen::Index>(parts.channels.size());
    parts.samples.col(column) = function.real;
    parts.channels.push_back(channels[c]);
    if (function.is_complex()) {
      parts.samples.col(column + 1) = function.imaginary;
      parts.channels.back().name += ".re";
      parts.channels.push_back(channels[c]);
      parts.channels.back().name += ".im";
    }
    for (Eigen::VectorXd* numbers : {&function.x, &function.real, &function.imaginary}) {
      give_back_pages(numbers->data(), sizeof(double) * static_cast<std::size_t>(numbers->size()));
      numbers->resize(0);
    }
  }
}

RecordParts parts_of(const Group& group, bool needs_axis) {
  const bool own = is_own(group);
  check_axes(group);
  RecordParts parts{.place = group.front()->place, .title = title_of(group, own)};
  if (needs_axis) {
    set_axis(*group.front(), parts);
  }
  fill(own ? own_channels(group) : foreign_channels(group), group, parts);
  return parts;
}

[[noreturn]] void fail_without_times(const UffContent& content, const std::string& file) {
  std::set<std::string> kinds;
  for (const UffFunction& function : content.functions) {
    kinds.insert(std::to_string(function.type));
  }
  std::set<int> datasets(content.datasets.begin(), content.datasets.end());
  std::vector<std::string> numbers;
  numbers.reserve(datasets.size());
  for (const int dataset : datasets) {
    numbers.push_back(std::to_string(dataset));
  }
  throw DataError(
      {.file = file},
      kinds.empty()
          ? fmt::format("holds no functions (dataset 58), only datasets {}", join(numbers, ", "))
          : fmt::format("holds no time responses (function type 1), only functions of type {}",
                        join({kinds.begin(), kinds.end()}, ", ")));
}

// The records with the title asked for.
std::vector<RecordParts> titled_parts(const std::vector<Group>& groups, const std::string& file,
                                      const ReadOptions& options) {
  std::vector<std::string> titles;
  std::vector<RecordParts> found;
  for (const Group& group : groups) {
    titles.push_back(title_of(group, is_own(group)));
    if (options.dataset.empty() || titles.back() == options.dataset) {
      found.push_back(parts_of(group, !options.step && options.time.empty()));
    }
  }
  if (found.empty()) {
    throw DataError({.file = file}, unknown_name("record titled", options.dataset, titles));
  }
  return found;
}

signal::Records records_of(UffContent parsed, const std::string& file, const ReadOptions& options) {
  const std::vector<Group> groups = groups_of(parsed.functions);
  if (groups.empty()) {
    fail_without_times(parsed, file);
  }
  check_complete(groups, file);
  std::vector<RecordParts> candidates = titled_parts(groups, file, options);
  const auto fits = [&](const RecordParts& parts) {
    return has_all_channels(parts.channels, options);
  };
  const bool one_fits = std::any_of(candidates.begin(), candidates.end(), fits);
  signal::Records records;
  for (RecordParts& parts : candidates) {
    // Where none fits, the first one gives the message.
    if (!one_fits || fits(parts)) {
      records.push_back(finished_record(std::move(parts), options));
    }
  }
  return records;
}

}  // namespace

signal::Records parse_uff_records(std::string_view content, const std::string& file,
                                  const ReadOptions& options) {
  return records_of(parse_uff(content, file), file, options);
}

signal::Records read_uff(const std::filesystem::path& file, const ReadOptions& options) {
  return read_within_memory(file, [&] {
    return records_of(parse_uff_file(file, options.limits), file.string(), options);
  });
}

}  // namespace alembert::io
