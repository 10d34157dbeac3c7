#include "study/parts/data/named_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "study/parts/names.hpp"

namespace alembert::study {
namespace {

std::vector<NamedColumn> listed_columns(const TableReader& data, const std::string& key,
                                        const std::string& letter) {
  const Array& items = *data.value(key)->array();
  const bool names = std::all_of(items.begin(), items.end(),
                                 [](const Value& item) { return is_name(*item.text()); });
  std::vector<NamedColumn> columns;
  for (std::size_t i = 0; i < items.size(); ++i) {
    columns.push_back({.name = names ? *items[i].text() : letter + std::to_string(i + 1),
                       .column = {.key = data.name(key),
                                  .column = *items[i].text(),
                                  .place = data.place_of(items[i].position)},
                       .listed = true});
  }
  return columns;
}

NamedColumn column_of_own_file(const TableReader& table, const std::string& name) {
  const TableReader own = table.table(name);
  return {.name = name,
          .column = {.key = table.name(name),
                     .column = own.optional_text("column").value_or(name),
                     .place = own.place(own.has("column") ? "column" : "file")},
          .own_file = own};
}

std::vector<NamedColumn> tabled_columns(const TableReader& data, const std::string& key) {
  const TableReader table = data.table(key);
  std::vector<NamedColumn> columns;
  for (const std::string& name : table.keys()) {
    if (!is_name(name)) {
      table.fail_at_key(name, fmt::format("{}: a name must begin with a letter and have no blanks, "
                                          "commas, quotes or brackets",
                                          table.name(name)));
    }
    columns.push_back(table.form(name) == kTable
                          ? column_of_own_file(table, name)
                          : NamedColumn{.name = name,
                                        .column = {.key = table.name(name),
                                                   .column = table.text(name),
                                                   .place = table.place(name)}});
  }
  if (columns.empty()) {
    data.fail(key, "must name at least one column");
  }
  return columns;
}

}  // namespace

std::vector<NamedColumn> read_named_columns(const TableReader& data, const std::string& key,
                                            const std::string& letter) {
  std::vector<NamedColumn> columns =
      data.form(key) == kTexts ? listed_columns(data, key, letter) : tabled_columns(data, key);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (columns[i].own_file || columns[j].own_file) continue;
      if (columns[i].column.column != columns[j].column.column) continue;
      throw StudyError(columns[i].column.place,
                       fmt::format("{} must name different columns, got \"{}\" twice",
                                   data.name(key), columns[i].column.column));
    }
  }
  return columns;
}

ChannelColumns read_channel_columns(const TableReader& data, const std::string& input_letter,
                                    const std::string& output_letter) {
  ChannelColumns columns;
  if (data.has("inputs")) columns.inputs = read_named_columns(data, "inputs", input_letter);
  columns.outputs = read_named_columns(data, "outputs", output_letter);
  return columns;
}

}  // namespace alembert::study
