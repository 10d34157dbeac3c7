#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "study/check_keys.hpp"
#include "study/mapped.hpp"
#include "study/read_model.hpp"
#include "study/read_simulate.hpp"

namespace alembert::study {
namespace {

std::vector<std::string> columns_of(const TableReader& inputs) {
  std::vector<std::string> columns;
  for (const std::string& name : inputs.keys()) {
    const std::string column = inputs.text(name);
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.push_back(column);
    }
  }
  return columns;
}

// A column that the file does not have is reported at the key that names it. Called after reading
// those columns failed; returns if the failure had another reason.
void report_missing_column(const TableReader& data, const std::filesystem::path& file,
                           io::ReadOptions options) {
  options.channels.clear();
  signal::Record whole;
  try {
    whole = io::read_record(file, options);
  } catch (const DataError&) {
    return;
  }
  const std::vector<std::string> known =
      mapped(whole.channels(), [](const signal::Channel& channel) { return channel.name; });
  const TableReader inputs = data.table("inputs");
  for (const std::string& name : inputs.keys()) {
    const std::string column = inputs.text(name);
    if (index_of(known, column) >= 0) {
      continue;
    }
    throw DataError(inputs.place(name),
                    fmt::format("{}: {} has no column \"{}\"{}", inputs.name(name),
                                data.text("file"), column, suggestion(column, known)));
  }
}

signal::Record read_columns(const TableReader& data, const std::filesystem::path& file) {
  const io::ReadOptions options{.time = data.optional_text("time").value_or(""),
                                .step = data.optional_number("step"),
                                .channels = columns_of(data.table("inputs")),
                                .dataset = data.optional_text("dataset").value_or("")};
  try {
    return io::read_record(file, options);
  } catch (const DataError&) {
    report_missing_column(data, file, options);
    throw;
  }
}

double even_step(const signal::Record& record, const TableReader& data) {
  const auto fail = [&](const std::string& reason) {
    throw DataError(data.place("file"), fmt::format("data.file: {} {}", data.text("file"), reason));
  };
  if (record.size() < 2) {
    fail("holds fewer than two samples");
  }
  const std::vector<signal::Gap> gaps = record.gaps();
  if (!gaps.empty()) {
    fail(fmt::format("has a gap from {:.6g} s to {:.6g} s; inputs need an even step",
                     gaps.front().begin, gaps.front().end));
  }
  const std::optional<double> step = record.time().common_step();
  if (!step) {
    fail("has uneven times; resample it first, inputs need an even step");
  }
  return *step;
}

void check_complete(const signal::Record& record, const TableReader& inputs,
                    const std::string& name) {
  const std::string column = inputs.text(name);
  const Eigen::Ref<const Eigen::VectorXd> values = record.values(column);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isfinite(values(k))) {
      continue;
    }
    throw DataError(inputs.place(name),
                    fmt::format("{}: column \"{}\" has {} at sample {} (t = {:.6g} s); an input "
                                "must be complete",
                                inputs.name(name), column,
                                std::isnan(values(k)) ? "no value" : "an infinite value", k + 1,
                                record.time()[k]));
  }
}

FileInput read_input(const TableReader& inputs, const std::string& name, const std::string& unit,
                     const signal::Record& record, std::vector<std::string>& notes) {
  FileInput input;
  input.column = inputs.text(name);
  const Eigen::Index channel = record.find(input.column).value();
  input.unit = record.channels()[static_cast<std::size_t>(channel)].unit;
  const std::optional<double> factor = input.unit.empty() ? 1.0 : conversion(input.unit, unit);
  if (!factor) {
    throw DataError(inputs.place(name),
                    fmt::format("{}: column \"{}\" is in {}, which does not convert to {}",
                                inputs.name(name), input.column, input.unit, unit));
  }
  input.factor = *factor;
  input.values = *factor * record.values(input.column);
  if (input.unit.empty()) {
    notes.push_back(
        fmt::format("column \"{}\" has no unit in the file; taken as {}", input.column, unit));
  } else if (*factor != 1.0) {
    notes.push_back(fmt::format("column \"{}\" converted from {} to {} (factor {})", input.column,
                                input.unit, unit, shortest(*factor)));
  }
  return input;
}

}  // namespace

DataInputs read_data_inputs(const TableReader& data, const ModelDescription& model,
                            const FileContext& files) {
  const TableReader inputs = data.table("inputs");
  for (const std::string& name : inputs.keys()) {
    if (index_of(model.inputs, name) >= 0) {
      continue;
    }
    inputs.fail_at_key(name, fmt::format("{}: the model has no input \"{}\"{}", inputs.name(name),
                                         name, suggestion(name, model.inputs)));
  }
  const std::filesystem::path file = files.find(data, "file");
  const signal::Record record = read_columns(data, file);
  DataInputs result;
  result.step = even_step(record, data);
  result.start = record.time().start();
  result.samples = record.size();
  result.inputs.resize(model.inputs.size());
  for (const std::string& name : inputs.keys()) {
    check_complete(record, inputs, name);
    const auto slot = static_cast<std::size_t>(index_of(model.inputs, name));
    result.inputs[slot] = read_input(inputs, name, model.force_units[slot], record, result.notes);
  }
  return result;
}

}  // namespace alembert::study
