#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/row_reader.hpp"

namespace {

using alembert::io::RowReader;

void require(bool condition) {
  if (!condition) std::abort();
}

// What the reader promises of a row that it took.
void check_row(const RowReader& reader, std::size_t rows_before, double time_before) {
  require(reader.rows() == rows_before + 1);
  require(reader.values().size() == 2);
  require(std::isfinite(reader.time()));
  require(rows_before == 0 || reader.time() > time_before);
  for (const double value : reader.values()) require(!std::isinf(value));
}

// A row that cannot be read is an error of that row; the stream goes on.
void feed(RowReader& reader, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t rows = reader.rows();
    const double time = reader.time();
    try {
      if (reader.take(text.substr(0, end)) == RowReader::Line::Row) check_row(reader, rows, time);
    } catch (const alembert::DataError&) {
      require(reader.rows() == rows);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace

// The first byte says what gives the time: a step, a column by its name, or the first column.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  alembert::io::RowReaderOptions options{.columns = {"a", "b"}};
  if (data[0] == 's') options.step = 0.01;
  if (data[0] == 'n') options.time = "time";
  RowReader reader(options);
  feed(reader, {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
