#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"

namespace {

using alembert::signal::Record;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Whatever could be read must come back the same from the text we write for it.
void require_round_trip(const Record& record) {
  const Record back = alembert::io::read_csv_text(alembert::io::format_csv(record));
  require(back.title() == record.title());
  require(back.channels() == record.channels());
  require(back.size() == record.size());
  require(back.time().is_uniform() == record.time().is_uniform());
  for (Eigen::Index k = 0; k < record.size(); ++k) {
    require(back.time()[k] == record.time()[k]);
    for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
      require(same(back.samples()(k, c), record.samples()(k, c)));
    }
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
  alembert::io::ReadOptions options;
  if ((choice & 1U) != 0) {
    options.step = 0.5;
  } else if ((choice & 2U) != 0) {
    options.time = "a";
  }
  if ((choice & 4U) != 0) {
    options.channels = {"b", "c1"};
  }
  alembert::io::CsvOptions csv{.threads = 1};
  csv.header = static_cast<alembert::io::CsvHeader>((choice >> 3U) % 3U);
  // Capital letters find out the separator, so that files of the corpus are easy to write.
  constexpr std::string_view kSeparators("\t;\0,  \0\0", 8);
  csv.separator = kSeparators[choice >> 5U];
  try {
    require_round_trip(alembert::io::read_csv_text(text, options, csv));
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  return 0;
}
