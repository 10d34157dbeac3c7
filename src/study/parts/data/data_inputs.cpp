#include "study/parts/data/data_inputs.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

std::vector<FileColumn> simulate_columns(const TableReader& inputs, const ModelInputs& model) {
  std::vector<FileColumn> columns;
  for (const std::string& name : inputs.keys()) {
    if (index_of(model.names, name) < 0) {
      inputs.fail_at_key(name, fmt::format("{}: the model has no input \"{}\"{}", inputs.name(name),
                                           name, suggestion(name, model.names)));
    }
    columns.push_back(
        {.key = inputs.name(name), .column = inputs.text(name), .place = inputs.place(name)});
  }
  return columns;
}

FileInput file_input(const FileColumn& column, const std::string& unit,
                     const signal::Record& record, std::vector<std::string>& notes) {
  FileInput input;
  input.column = column.column;
  const Eigen::Index channel = record.find(input.column).value();
  input.unit = record.channels()[static_cast<std::size_t>(channel)].unit;
  // Equations may leave units open.
  input.factor = unit.empty() ? 1.0 : column_factor(column, input.unit, unit, notes);
  input.values = input.factor * record.values(input.column);
  return input;
}

}  // namespace

DataInputs read_data_inputs(const TableReader& data, const ModelInputs& model,
                            const FileContext& files) {
  if (data.form("inputs") != kTable) {
    data.fail("inputs", "must be a table with [simulate]: model input = column of the file");
  }
  const TableReader inputs = data.table("inputs");
  const std::vector<FileColumn> columns = simulate_columns(inputs, model);
  DataInputs result;
  const DataFile file = data_file(data, "file", files.noting(result.notes));
  const signal::Record record = only_record(read_columns(data, file, columns), file);
  result.step = even_step(record, file);
  result.start = record.time().start();
  result.samples = record.size();
  result.inputs.resize(model.names.size());
  const std::vector<std::string> names = inputs.keys();
  for (std::size_t i = 0; i < names.size(); ++i) {
    check_complete(record, columns[i]);
    const auto slot = static_cast<std::size_t>(index_of(model.names, names[i]));
    result.inputs[slot] = file_input(columns[i], model.units[slot], record, result.notes);
  }
  return result;
}

}  // namespace alembert::study
