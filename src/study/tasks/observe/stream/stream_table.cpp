#include "study/tasks/observe/stream/stream_table.hpp"

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"

namespace alembert::study {
namespace {

constexpr const char* kInput = "standard input";

}  // namespace

StreamTable::StreamTable(ObserveStudy& study)
    : study_(study),
      reader_({.columns = mapped(study.columns, [](const SensorColumn& use) { return use.column; }),
               .time = study.time_column,
               .step = study.step,
               .source = kInput,
               .time_key = "data.time",
               .step_key = "data.step"}),
      readings_(study.columns.size()) {}

void StreamTable::fail(const std::string& reason) const {
  throw DataError({.file = kInput, .line = reader_.lines()}, reason);
}

void StreamTable::find_factors() {
  for (std::size_t i = 0; i < study_.columns.size(); ++i) {
    SensorColumn& use = study_.columns[i];
    use.column_unit = reader_.units()[i];
    use.factor = reading_factor({.key = "data.sensors",
                                 .column = use.column,
                                 .place = {.file = kInput, .line = reader_.lines()}},
                                use, study_.mechanism->description().sensors[i], study_.notes);
  }
}

StreamTable::Line StreamTable::take(std::string_view line) {
  const Line kind = reader_.take(line);
  if (kind == Line::Names || kind == Line::Units) find_factors();
  if (kind == Line::Names) begun_ = true;
  if (kind == Line::Row) {
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      readings_[i] = study_.columns[i].factor * reader_.values()[i];
    }
  }
  return kind;
}

}  // namespace alembert::study
