#include "io/record/array_set.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/time_column.hpp"

namespace alembert::io {

namespace {

constexpr double kSingleRounding = 6e-8;  // half a unit in the last place, relative
constexpr double kSameStep = 1e-6;        // how well two statements of the step must agree
// Of a record. More are a broken size: an array without rows takes no bytes, whatever its columns.
constexpr Eigen::Index kMostChannels = 100000;

// One channel within an array.
struct Column {
  std::size_t array = 0;
  Eigen::Index index = 0;  // column, or row of an array that is turned
  bool turned = false;     // the samples run along the rows
  bool imaginary = false;
  std::string name;
};

const LazyArray* find_array(const ArraySet& set, std::string_view name) {
  const auto found = std::find_if(set.arrays.begin(), set.arrays.end(),
                                  [&](const LazyArray& array) { return array.name == name; });
  return found == set.arrays.end() ? nullptr : &*found;
}

// Names of columns are NAME, NAME_3, NAME.im, NAME_3.im.
const LazyArray* find_array_of_column(const ArraySet& set, std::string_view name) {
  if (const LazyArray* whole = find_array(set, name)) {
    return whole;
  }
  for (const std::string_view part : {".re", ".im"}) {
    if (name.size() > part.size() && name.substr(name.size() - part.size()) == part) {
      return find_array_of_column(set, name.substr(0, name.size() - part.size()));
    }
  }
  const std::size_t bar = name.rfind('_');
  return bar == std::string_view::npos ? nullptr : find_array(set, name.substr(0, bar));
}

class Assembler {
 public:
  Assembler(const ArraySet& set, const ReadOptions& options) : set_(set), options_(options) {}

  signal::Record assemble() {
    samples_ = count_samples();
    expand_columns();
    const std::optional<Column> time = time_column();
    const std::vector<Column> chosen = chosen_columns(time);
    RecordParts parts{.place = set_.place, .title = set_.title};
    fill(chosen, parts);
    if (!options_.step) {
      set_axis(time, parts);
    }
    return finished_record(std::move(parts), {.step = options_.step});
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw DataError(set_.place, reason); }

  [[nodiscard]] const LazyArray* find(std::string_view name) const {
    return find_array(set_, name);
  }
  [[nodiscard]] const LazyArray* array_of_column(std::string_view name) const {
    return find_array_of_column(set_, name);
  }

  [[nodiscard]] bool may_be_channel(const LazyArray& array) const {
    return set_.axis || (!array.is_scalar() && array.rows > 0 && array.columns > 0);
  }

  // The array that gives the time by its name, where nothing else does.
  [[nodiscard]] const LazyArray* named_time() const {
    if (options_.step || !options_.time.empty() || set_.axis) {
      return nullptr;
    }
    for (const LazyArray& array : set_.arrays) {
      if (is_time_name(array.name) && array.is_vector() && may_be_channel(array)) {
        return &array;
      }
    }
    return nullptr;
  }

  static Eigen::Index longest(const LazyArray& array) {
    return std::max(array.rows, array.columns);
  }

  // From the time, else from the first vector asked for, else from the longer side of a matrix.
  [[nodiscard]] Eigen::Index count_samples() const {
    if (set_.axis) {
      return set_.axis->size();
    }
    if (!options_.step && !options_.time.empty()) {
      if (const LazyArray* time = array_of_column(options_.time)) {
        return longest(*time);
      }
    }
    if (const LazyArray* time = named_time()) {
      return longest(*time);
    }
    const LazyArray* first = nullptr;
    for (const LazyArray* array : wanted_arrays()) {
      if (array->is_vector()) {
        return longest(*array);
      }
      first = first == nullptr ? array : first;
    }
    return first == nullptr ? 0 : longest(*first);
  }

  [[nodiscard]] std::vector<const LazyArray*> wanted_arrays() const {
    std::vector<const LazyArray*> wanted;
    for (const std::string& name : options_.channels) {
      if (const LazyArray* array = array_of_column(name)) {
        wanted.push_back(array);
      }
    }
    if (options_.channels.empty()) {
      for (const LazyArray& array : set_.arrays) {
        if (may_be_channel(array)) {
          wanted.push_back(&array);
        }
      }
    }
    return wanted;
  }

  // All channels of the arrays that have the right length.
  void expand_columns() {
    for (std::size_t a = 0; a < set_.arrays.size(); ++a) {
      const LazyArray& array = set_.arrays[a];
      const bool upright = array.rows == samples_;
      if (!upright && array.columns != samples_) {
        continue;
      }
      const Eigen::Index count = upright ? array.columns : array.rows;
      if (count > kMostChannels - static_cast<Eigen::Index>(columns_.size())) {
        throw DataError(set_.place, fmt::format("{} would be {} channels; at most {} can be read",
                                                excerpt(array.name), count, kMostChannels));
      }
      for (Eigen::Index index = 0; index < count; ++index) {
        const std::string name =
            count == 1 ? array.name : fmt::format("{}_{}", array.name, index + 1);
        columns_.push_back({a, index, !upright, false, array.complex ? name + ".re" : name});
        if (array.complex) {
          columns_.push_back({a, index, !upright, true, name + ".im"});
        }
      }
    }
  }

  [[nodiscard]] std::vector<std::string> column_names() const {
    std::vector<std::string> names;
    for (const Column& column : columns_) {
      names.push_back(column.name);
    }
    return names;
  }

  [[nodiscard]] std::optional<Column> column(std::string_view name) const {
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const Column& each) { return each.name == name; });
    return found == columns_.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] std::optional<Column> time_column() const {
    if (options_.step) {
      return std::nullopt;
    }
    if (!options_.time.empty()) {
      auto found = column(options_.time);
      if (!found) {
        fail(unknown_name("time channel", options_.time, column_names()));
      }
      return found;
    }
    const LazyArray* named = named_time();
    return named == nullptr ? std::nullopt : column(named->name);
  }

  std::vector<Column> chosen_columns(const std::optional<Column>& time) const {
    std::vector<Column> chosen;
    for (const std::string& name : options_.channels) {
      append_named(name, chosen);
    }
    if (!options_.channels.empty()) {
      return chosen;
    }
    check_lengths();
    for (const Column& each : columns_) {
      if (may_be_channel(set_.arrays[each.array]) && !(time && each.name == time->name)) {
        chosen.push_back(each);
      }
    }
    if (chosen.empty()) {
      fail("holds no channels: no numeric arrays with more than one number");
    }
    return chosen;
  }

  // A column, or all columns of an array.
  void append_named(const std::string& name, std::vector<Column>& chosen) const {
    const std::size_t before = chosen.size();
    const bool is_column = column(name).has_value();
    for (const Column& each : columns_) {
      if (is_column ? each.name == name : set_.arrays[each.array].name == name) {
        chosen.push_back(each);
      }
    }
    if (chosen.size() > before) {
      return;
    }
    if (const LazyArray* array = find(name)) {
      fail(fmt::format("channel {} is {} x {}, expected {} samples", excerpt(name), array->rows,
                       array->columns, samples_));
    }
    fail(unknown_name("channel", name, column_names()));
  }

  // The arrays that may be channels, with their sizes.
  [[nodiscard]] std::string listed() const {
    constexpr std::size_t kMost = 12;
    std::vector<std::string> parts;
    for (const LazyArray& array : set_.arrays) {
      if (!may_be_channel(array)) continue;
      if (parts.size() == kMost) {
        parts.emplace_back("...");
        break;
      }
      parts.push_back(fmt::format("{} ({} x {})", array.name, array.rows, array.columns));
    }
    return join(parts, ", ");
  }

  void check_lengths() const {
    for (const LazyArray& array : set_.arrays) {
      if (may_be_channel(array) && array.rows != samples_ && array.columns != samples_) {
        fail(fmt::format(
            "{} is {} x {}, but others have {} samples: give the channels to read, of {}",
            excerpt(array.name), array.rows, array.columns, samples_, listed()));
      }
    }
  }

  // Array by array, so that only one is held beside the record.
  void fill(const std::vector<Column>& chosen, RecordParts& parts) const {
    check_room(chosen.size());
    parts.samples.resize(samples_, static_cast<Eigen::Index>(chosen.size()));
    for (const Column& each : chosen) {
      const LazyArray& array = set_.arrays[each.array];
      parts.channels.push_back({each.name, array.unit, array.description});
    }
    std::vector<std::size_t> order(chosen.size());  // columns of one array one after the other
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
      return chosen[one].array < chosen[other].array;
    });
    std::optional<std::size_t> loaded;
    ArrayValues values;
    for (const std::size_t c : order) {
      if (loaded != chosen[c].array) {
        values = {};
        values = set_.arrays[chosen[c].array].load();
        loaded = chosen[c].array;
      }
      parts.samples.col(static_cast<Eigen::Index>(c)) = extract(values, chosen[c]);
    }
  }

  // Before anything is allocated: the file may claim what it likes.
  void check_room(std::size_t channels) const {
    const auto samples = static_cast<std::uintmax_t>(samples_);
    if (set_.most_bytes > 0 && samples > 0 &&
        channels > set_.most_bytes / sizeof(double) / samples) {
      fail(fmt::format("{} samples of {} channels are not believable in a file of this size",
                       samples_, channels));
    }
    require_room(set_.place.file, "a record", samples, channels, sizeof(double), options_.limits);
  }

  static Eigen::VectorXd extract(const ArrayValues& values, const Column& column) {
    const Eigen::MatrixXd& part = column.imaginary ? values.imaginary : values.real;
    return column.turned ? Eigen::VectorXd(part.row(column.index).transpose())
                         : Eigen::VectorXd(part.col(column.index));
  }

  void set_axis(const std::optional<Column>& time, RecordParts& parts) const {
    if (time) {
      const LazyArray& array = set_.arrays[time->array];
      Eigen::VectorXd times = extract(array.load(), *time);
      convert_to_seconds(times, array.name, array.unit, set_.place);
      parts.axis = axis_of_times(times, array.single_precision ? kSingleRounding : 0.0, time->name,
                                 set_.place);
    } else if (set_.axis) {
      parts.axis = set_.axis;
    } else {
      set_scalar_axis(parts);
    }
  }

  // The step in s that a scalar gives: its inverse for a rate in Hz, itself for a time.
  [[nodiscard]] double step_of(const LazyArray& scalar) const {
    const double value = scalar.load().real(0, 0);
    if (scalar.name != "fs" && scalar.name != "Fs") {
      Eigen::VectorXd step = Eigen::VectorXd::Constant(1, value);
      convert_to_seconds(step, scalar.name, scalar.unit, set_.place);
      return step(0);
    }
    if (scalar.unit.empty()) {
      return 1.0 / value;
    }
    const signal::UnitRelation relation = signal::compare_units(scalar.unit, "Hz");
    if (relation != signal::UnitRelation::Same && relation != signal::UnitRelation::Convertible) {
      fail(fmt::format("the unit {} of {} is no frequency: give a step in s", excerpt(scalar.unit),
                       scalar.name));
    }
    return 1.0 / signal::conversion(scalar.unit, "Hz")(value);
  }

  // step = 1/fs, 1/Fs, dt, Ts, h; all that are there must agree.
  void set_scalar_axis(RecordParts& parts) const {
    std::string source;
    double step = 0.0;
    for (const std::string_view name : {"fs", "Fs", "dt", "Ts", "h"}) {
      const LazyArray* scalar = find(name);
      if (scalar == nullptr || !scalar->is_scalar() || scalar->complex) {
        continue;
      }
      const double found = step_of(*scalar);
      if (!source.empty() && !(std::abs(found - step) <= kSameStep * step)) {
        fail(fmt::format("{} and {} give different steps, {} s and {} s", source, name,
                         shortest(step), shortest(found)));
      }
      source = source.empty() ? std::string(name) : source;
      step = source == name ? found : step;
    }
    if (source.empty()) {
      parts.axis_problem =
          "no time found: no array t or time, no scalar fs, Fs, dt, Ts or h; give a step or the "
          "name of the time";
      return;
    }
    parts.axis = axis_of_step(samples_, step, 0.0, source, set_.place);
  }

  const ArraySet& set_;
  const ReadOptions& options_;
  Eigen::Index samples_ = 0;
  std::vector<Column> columns_;
};

}  // namespace

signal::Record assemble_record(const ArraySet& set, const ReadOptions& options) {
  return Assembler(set, options).assemble();
}

signal::Records assemble_records(const std::vector<ArraySet>& sets, const ReadOptions& options) {
  const auto fits = [&](const ArraySet& set) {
    const auto known = [&](const std::string& name) {
      return find_array_of_column(set, name) != nullptr;
    };
    return std::all_of(options.channels.begin(), options.channels.end(), known) &&
           (options.time.empty() || options.step || known(options.time));
  };
  const bool one_fits = std::any_of(sets.begin(), sets.end(), fits);
  signal::Records records;
  for (const ArraySet& set : sets) {
    // Where none fits, the first one gives the message.
    if (!one_fits || fits(set)) {
      records.push_back(assemble_record(set, options));
    }
  }
  return records;
}

}  // namespace alembert::io
