#include "study/tasks/simulate/flexible_motion/recorded_columns.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/problem.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {

std::string read_record_column(const TableReader& sensors, const std::string& name,
                               const std::vector<SensorDescription>& before) {
  const TableReader table = sensors.table(name);
  const std::string column = table.optional_text("column").value_or(name);
  const auto fail = [&](const std::string& rule) {
    const Place place = table.has("column") ? table.place("column") : sensors.key_place(name);
    throw StudyError(place, fmt::format("{} {}", table.name("column"), rule));
  };
  if (column.empty() || column == "t") {
    fail(fmt::format("must be another name than that of the time, got \"{}\"", column));
  }
  for (const SensorDescription& other : before) {
    if (other.column != column) continue;
    fail(fmt::format("must not be that of another sensor, got \"{}\", of {} too", column,
                     other.name));
  }
  return column;
}

// y(t) = x(t - known delay - delay that the observer is not told)
double read_whole_delay(const TableReader& known, const TableReader& errors,
                        const SimulateStudy& study) {
  const double delay = known.number("delay") + errors.number("delay");
  const double length = static_cast<double>(study.samples) * study.step;
  if (delay < 0.0 || delay >= length) {
    const TableReader& guilty = known.number("delay") == 0.0 ? errors : known;
    guilty.fail("delay", fmt::format("must be at least 0 and less than the record, {} s, where "
                                     "[simulate] makes it, got {} s in all",
                                     shortest(length), shortest(delay)));
  }
  return delay;
}

void check_sensor_errors(const TableReader& errors, const std::vector<std::string>& names,
                         std::vector<Problem>& problems) {
  for (const std::string& name : errors.keys()) {
    if (index_of(names, name) >= 0) continue;
    attempt(problems, [&] {
      errors.fail_at_key(name, fmt::format("{}: [data.sensors] has no sensor \"{}\"{}",
                                           errors.name(name), name, suggestion(name, names)));
    });
  }
}

}  // namespace alembert::study
