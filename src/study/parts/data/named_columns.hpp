#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/parts/data/file_columns.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// A name of the model, the column behind it and the key that says so.
struct NamedColumn {
  std::string name;
  FileColumn column;
  bool listed = false;                       ///< from a list, so that the model may rename it
  std::optional<TableReader> own_file = {};  ///< the table that names it, where it has one
};

/// The columns that data.inputs or data.outputs name: a table, or a list whose columns serve as
/// names themselves where they can, else letter1, letter2, ...
/// @throws StudyError for a name or column that stands there twice.
[[nodiscard]] std::vector<NamedColumn> read_named_columns(const TableReader& data,
                                                          const std::string& key,
                                                          const std::string& letter);

/// The columns behind inputs and outputs.
struct ChannelColumns {
  std::vector<NamedColumn> inputs, outputs;
};
/// Both, by read_named_columns(); without data.inputs there are none.
[[nodiscard]] ChannelColumns read_channel_columns(const TableReader& data,
                                                  const std::string& input_letter,
                                                  const std::string& output_letter);

}  // namespace alembert::study
