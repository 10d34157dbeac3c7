#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"

namespace {

using alembert::io::CsvOptions;
using alembert::io::read_csv_text;
using alembert::io::ReadOptions;
using alembert::signal::Record;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void require_same(const Record& a, const Record& b) {
  require(a.title() == b.title());
  require(a.channels() == b.channels());
  require(a.size() == b.size());
  require(a.time().is_uniform() == b.time().is_uniform());
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    require(a.time()[k] == b.time()[k]);
    for (Eigen::Index c = 0; c < a.channel_count(); ++c) {
      require(same(a.samples()(k, c), b.samples()(k, c)));
    }
  }
}

std::optional<Record> try_read(std::string_view text, const ReadOptions& options,
                               const CsvOptions& csv) {
  try {
    return read_csv_text(text, options, csv);
  } catch (const alembert::DataError&) {
    return std::nullopt;  // a broken file
  }
}

// Numbers near the ends of the text in memory are read by another parser than those in the midst:
// with comments around the text nothing may change.
void require_same_in_the_midst(std::string_view text, const ReadOptions& options,
                               const CsvOptions& csv, const std::optional<Record>& record) {
  if (text.find('\n') == std::string_view::npos || text.substr(0, 1) >= "\x80" ||
      text.find('\x1A') != std::string_view::npos) {
    return;  // the comments would change the line end, or cover a byte-order or an end mark
  }
  const std::string comment = "#" + std::string(64, '-');
  const std::optional<Record> padded =
      try_read(comment + "\n\n" + std::string(text) + "\n\n" + comment, options, csv);
  require(record.has_value() == padded.has_value());
  if (record) {
    require_same(*record, *padded);
  }
}

}  // namespace

// The first byte chooses the options, the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  ReadOptions options;
  if ((choice & 1U) != 0) {
    options.step = 0.5;
  } else if ((choice & 2U) != 0) {
    options.time = "a";
  }
  if ((choice & 4U) != 0) {
    options.channels = {"b", "c1"};
  }
  CsvOptions csv{.threads = 1};
  csv.header = static_cast<alembert::io::CsvHeader>((choice >> 3U) % 3U);
  // Capital letters find out the separator, so that files of the corpus are easy to write.
  constexpr std::string_view kSeparators("\t;\0,  \0\0", 8);
  csv.separator = kSeparators[choice >> 5U];
  const std::optional<Record> record = try_read(text, options, csv);
  require_same_in_the_midst(text, options, csv, record);
  if (record) {
    // Whatever could be read must come back the same from the text we write for it.
    require_same(read_csv_text(alembert::io::format_csv(*record, alembert::io::CsvNotes::Exact)),
                 *record);
  }
  return 0;
}
