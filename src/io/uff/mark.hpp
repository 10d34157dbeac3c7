#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What write_uff adds to a universal file so that read_uff gives back the same record: ID line 5,
/// `alembert record=1 records=2 channels=8 start=0 step=0.0013333333333333333`, and escaped texts.
/// The counts tell a whole file from one cut between two datasets.
namespace alembert::io {

struct UffMark {
  long long record = 0;              ///< number of the record, from 1
  long long records = 0;             ///< number of records in the file
  long long channels = 0;            ///< number of channels of the record
  std::optional<double> start = {};  ///< of an even axis, with all digits
  std::optional<double> step = {};
};

[[nodiscard]] std::string format_mark(const UffMark& mark);
/// Nullopt for the line of another program.
[[nodiscard]] std::optional<UffMark> parse_mark(std::string_view line);

}  // namespace alembert::io
