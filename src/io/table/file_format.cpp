#include "io/table/file_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "io/csv/cell.hpp"
#include "io/csv/layout.hpp"
#include "io/csv/source.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/lvm/segments.hpp"
#include "io/npy/header.hpp"

namespace alembert::io {
namespace {

namespace fs = std::filesystem;

struct Ending {
  std::string_view text;
  FileFormat format;
};
constexpr std::array<Ending, 15> kEndings{{{".csv", FileFormat::Text},
                                           {".txt", FileFormat::Text},
                                           {".dat", FileFormat::Text},
                                           {".tsv", FileFormat::Text},
                                           {".mat", FileFormat::Mat},
                                           {".h5", FileFormat::Hdf5},
                                           {".hdf5", FileFormat::Hdf5},
                                           {".uff", FileFormat::Uff},
                                           {".unv", FileFormat::Uff},
                                           {".mtx", FileFormat::MatrixMarket},
                                           {".npy", FileFormat::Numpy},
                                           {".npz", FileFormat::Numpy},
                                           {".lvm", FileFormat::Lvm},
                                           {".wav", FileFormat::Wav},
                                           {".tdms", FileFormat::Tdms}}};

std::string lower_ending(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

// What other programs write, and how it becomes a file that can be read.
struct ForeignEnding {
  std::string_view endings;  // between blanks
  std::string_view what, advice;
};
constexpr std::array<ForeignEnding, 11> kForeign{
    {{" .xlsx .xls .xlsm .ods .numbers ", "a spreadsheet", "save its sheet as .csv"},
     {" .mf4 .mdf ", "a measurement of ASAM MDF",
      "in Python: asammdf.MDF(FILE).export(\"mat\", filename=\"data.mat\")"},
     {" .parquet .feather .arrow ", "a table of Apache Arrow",
      "in Python: pandas.read_parquet(FILE).to_csv(\"data.csv\", index=False)"},
     {" .pkl .pickle .joblib ", "an object of Python, which is never loaded",
      "save its arrays with numpy.savez"},
     {" .dxd .d7d ", "a DEWESoft measurement", "export it there as .mat, .csv or .unv"},
     {" .tdm .tdx ", "an older DIAdem file", "save it there as .tdms"},
     {" .rpc .rsp .sif .mts ", "an RPC III time history", "export it as .csv or .mat"},
     {" .wft .wfm .trc .isf ", "the waveform of an oscilloscope", "save it there as .csv"},
     {" .mp3 .flac .ogg .m4a .aiff .aif ", "compressed sound", "ffmpeg -i FILE data.wav"},
     {" .zip .gz .7z .bz2 .xz .tar .rar ", "an archive", "unpack it first"},
     {" .json .xml .yaml .yml ", "a text of fields", "write its numbers as .csv"}}};

// "" for an ending that nobody is known to write.
std::string foreign_advice(const fs::path& file) {
  const std::string ending = fmt::format(" {} ", lower_ending(file));
  for (const ForeignEnding& foreign : kForeign) {
    if (ending.size() > 2 && foreign.endings.find(ending) != std::string_view::npos) {
      return fmt::format("is {}, which is not read here; {}", foreign.what, foreign.advice);
    }
  }
  return {};
}

[[noreturn]] void fail_unknown(const fs::path& file) {
  if (const std::string advice = foreign_advice(file); !advice.empty()) {
    throw DataError(Place{.file = file.string()}, advice);
  }
  std::vector<std::string> known;
  for (const Ending& ending : kEndings) {
    known.emplace_back(ending.text);
  }
  const std::string ending = file.extension().string();
  throw DataError(
      Place{.file = file.string()},
      fmt::format("{}; known endings: {}",
                  ending.empty() ? std::string("the name has no ending that tells the format")
                                 : fmt::format("the ending {} tells no format", excerpt(ending)),
                  join(known, " ")));
}

// Endings that many programs use for many things.
bool is_vague(const std::string& ending) {
  return ending == ".txt" || ending == ".dat" || ending == ".lvm";
}

constexpr std::size_t kStart = 1024;  // bytes that tell the format

// The first line of a universal file is -1, its second the number of a data set.
bool begins_like_uff(std::string_view start) {
  const std::string_view first = trimmed(start.substr(0, start.find('\n')));
  if (first != "-1" || start.find('\n') == std::string_view::npos) {
    return false;
  }
  start.remove_prefix(start.find('\n') + 1);
  const std::string_view second = trimmed(start.substr(0, start.find('\n')));
  return !second.empty() && second.front() >= '0' && second.front() <= '9';
}

std::optional<FileFormat> format_of_start(std::string_view start) {
  constexpr std::string_view kHdf5("\x89HDF\r\n\x1a\n", 8);
  constexpr std::size_t kMatHeader = 512;  // a version 7.3 file is HDF5 behind this
  const auto begins = [start](std::string_view text, std::size_t at = 0) {
    return start.size() >= at && start.substr(at, text.size()) == text;
  };
  if (begins("MATLAB 5.0 MAT-file") || begins("MATLAB 7.3 MAT-file")) {
    return FileFormat::Mat;
  }
  if (begins(kHdf5) || begins(kHdf5, kMatHeader)) {
    return FileFormat::Hdf5;
  }
  if (begins("%%MatrixMarket")) {
    return FileFormat::MatrixMarket;
  }
  if (begins_like_uff(start)) {
    return FileFormat::Uff;
  }
  if (lvm::begins_like_lvm(start)) {
    return FileFormat::Lvm;
  }
  if (npy::begins_like_npy(start)) {
    return FileFormat::Numpy;
  }
  if (begins("TDSm")) {
    return FileFormat::Tdms;
  }
  if (begins("WAVE", 8)) {
    return FileFormat::Wav;
  }
  return std::nullopt;
}

// Whether the file is text with rows of numbers.
bool is_text_table(const fs::path& file) {
  try {
    csv::Source source(file);
    const csv::Layout layout = csv::find_layout(source, {});
    const csv::Lines rest =
        source.lines(layout.body_offset, layout.body_offset + 1, layout.dialect.terminator);
    std::string_view text = rest.text;
    const auto cells =
        csv::split_line(csv::take_line(text, layout.dialect.terminator), layout.dialect.separator);
    return std::all_of(cells.begin(), cells.end(), [&](const csv::Cell& cell) {
      const csv::CellKind kind = csv::kind_of_cell(cell.text, layout.dialect.decimal_mark);
      return kind == csv::CellKind::Number || kind == csv::CellKind::Missing;
    });
  } catch (const DataError&) {
    return false;
  }
}

}  // namespace

std::optional<FileFormat> format_of_ending(const fs::path& file) {
  const std::string ending = lower_ending(file);
  const auto* found = std::find_if(kEndings.begin(), kEndings.end(),
                                   [&](const Ending& known) { return known.text == ending; });
  return found != kEndings.end() ? std::optional(found->format) : std::nullopt;
}

FileFormat format_to_read(const fs::path& file) {
  if (file == "-") {
    return FileFormat::Text;  // standard input
  }
  require_readable(file);
  const std::optional<FileFormat> by_ending = format_of_ending(file);
  if (by_ending && !is_vague(lower_ending(file))) {
    return *by_ending;
  }
  if (const std::optional<FileFormat> by_content = format_of_start(read_start(file, kStart))) {
    return *by_content;
  }
  if (!by_ending && !is_text_table(file)) {
    fail_unknown(file);
  }
  return FileFormat::Text;
}

FileFormat format_to_write(const fs::path& file) {
  const std::optional<FileFormat> format = format_of_ending(file);
  if (!format) {
    fail_unknown(file);
  }
  return *format;
}

}  // namespace alembert::io
