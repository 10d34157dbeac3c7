#include "io/uff/parse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "alembert/core/text.hpp"
#include "alembert/io/uff.hpp"
#include "io/uff/fields.hpp"

namespace alembert::io {

namespace {

constexpr std::string_view kDelimiter = "    -1";
constexpr int kHeaderLines = 11;

// The line that opens a dataset: its number, and for 58b how its data are stored.
struct Identifier {
  int dataset = 0;
  bool binary = false;
  int byte_order = 1;  // 1 little endian, 2 big endian
  int number_format = 2;
  long long ascii_lines = kHeaderLines;
  long long bytes = 0;
};

// Record 7 of dataset 58.
struct DataForm {
  bool single = false;
  bool complex = false;
  bool even = true;
  long long points = 0;

  [[nodiscard]] int ordinates() const { return complex ? 2 : 1; }
  [[nodiscard]] int numbers_per_point() const { return ordinates() + (even ? 0 : 1); }
};

// Where the bytes of a binary body end, and whether its abscissae have single precision.
struct DataBody {
  std::size_t end = 0;
  bool single_abscissa = false;
};

bool is_delimiter(std::string_view line) {
  return line.substr(0, kDelimiter.size()) == kDelimiter &&
         trimmed(line.substr(kDelimiter.size())).empty();
}

double decode(const char* bytes, bool single, bool swap) {
  if (single) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return static_cast<double>(std::bit_cast<float>(swap ? __builtin_bswap32(word) : word));
  }
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return std::bit_cast<double>(swap ? __builtin_bswap64(word) : word);
}

class Parser {
 public:
  Parser(std::string_view content, const std::string& file) : lines_(content, file) {}

  UffContent parse(const std::function<void(std::size_t)>& release) {
    while (open_dataset()) {
      read_dataset();
      release(lines_.position());
    }
    if (content_.datasets.empty()) {
      throw DataError({.file = lines_.file()}, "the file holds no dataset");
    }
    return std::move(content_);
  }

 private:
  // Blank lines may stand between datasets, nothing else.
  bool open_dataset() {
    while (const auto line = lines_.next()) {
      if (is_delimiter(*line)) {
        return true;
      }
      if (!trimmed(*line).empty()) {
        lines_.fail("not a universal file: expected a line with -1 in columns 5 and 6");
      }
    }
    return false;
  }

  std::string_view next_line(std::string_view what) {
    const auto line = lines_.next();
    if (!line) {
      lines_.fail(fmt::format("the file ends before {}", what));
    }
    return *line;
  }

  void read_dataset() {
    const Identifier identifier = read_identifier();
    content_.datasets.push_back(identifier.dataset);
    if (identifier.dataset == 58) {
      read_function(identifier);
    } else if (identifier.dataset == 164 && !identifier.binary) {
      read_units();
    } else {
      skip_dataset(identifier);
    }
  }

  Identifier read_identifier() {
    const std::string_view line = next_line("the number of a dataset");
    FieldReader fields(line, lines_);
    Identifier identifier;
    identifier.dataset = fields.small_integer(6, "dataset number");
    if (identifier.dataset < 1) {
      lines_.fail(fmt::format("dataset number must be positive, got '{}'", line.substr(0, 6)));
    }
    const std::string mark = fields.text(1);
    identifier.binary = mark == "b" || mark == "B";
    if (identifier.binary) {
      identifier.byte_order = fields.small_integer(6, "byte order");
      identifier.number_format = fields.small_integer(6, "floating-point format");
      identifier.ascii_lines = fields.integer(12, "number of text lines");
      identifier.bytes = fields.integer(12, "number of bytes");
      check_binary(identifier);
    }
    return identifier;
  }

  void check_binary(const Identifier& identifier) const {
    if (identifier.byte_order != 1 && identifier.byte_order != 2) {
      lines_.fail(fmt::format("byte order must be 1 (little endian) or 2 (big endian), got {}",
                              identifier.byte_order));
    }
    if (identifier.number_format != 2) {
      lines_.fail(fmt::format("floating-point format must be 2 (IEEE 754), got {}",
                              identifier.number_format));
    }
    if (identifier.ascii_lines < 0 || identifier.bytes < 0) {
      lines_.fail("the numbers of text lines and bytes must not be negative");
    }
  }

  void skip_dataset(const Identifier& identifier) {
    const Place begin = lines_.place();
    if (identifier.binary) {
      for (long long i = 0; i < identifier.ascii_lines; ++i) {
        next_line("the end of a binary dataset");
      }
      if (identifier.bytes > static_cast<long long>(lines_.bytes_left())) {
        lines_.fail(fmt::format("the file ends before the {} bytes of dataset {}", identifier.bytes,
                                identifier.dataset));
      }
      lines_.skip_to(lines_.position() + static_cast<std::size_t>(identifier.bytes));
    }
    while (const auto line = lines_.next()) {
      if (is_delimiter(*line)) {
        return;
      }
    }
    throw DataError(begin,
                    fmt::format("dataset {} is not closed by a line with -1 (truncated file?)",
                                identifier.dataset));
  }

  void read_units() {
    FieldReader first(next_line("the units"), lines_);
    UffUnits units;
    units.code = first.small_integer(10, "units code");
    units.description = trimmed(first.text(20));
    FieldReader factors(next_line("the unit factors"), lines_);
    units.length = factors.real(25, "length factor");
    units.force = factors.real(25, "force factor");
    units.temperature = factors.real(25, "temperature factor");
    const std::string_view last = next_line("the temperature offset");
    if (is_delimiter(last)) {
      units_ = units;
      return;
    }
    units.temperature_offset = FieldReader(last, lines_).real(25, "temperature offset");
    units_ = units;
    skip_dataset({.dataset = 164});
  }

  void read_function(const Identifier& identifier) {
    UffFunction function;
    function.place = lines_.place();
    function.units = units_;
    for (std::string& id : function.id) {
      id = FieldReader(next_line("the header of dataset 58"), lines_).text(std::string_view::npos);
    }
    read_degrees_of_freedom(function);
    const DataForm form = read_data_form(function);
    for (UffAxis* axis :
         {&function.abscissa, &function.ordinate, &function.denominator, &function.z_axis}) {
      read_axis(*axis);
    }
    for (long long extra = kHeaderLines; extra < identifier.ascii_lines; ++extra) {
      next_line("the header of dataset 58");
    }
    if (identifier.binary) {
      read_binary_values(identifier, form, function);
    } else {
      read_text_values(form, function);
    }
    content_.functions.push_back(std::move(function));
  }

  // Record 6: 2(I5,I10),2(1X,10A1,I10,I4)
  void read_degrees_of_freedom(UffFunction& function) {
    FieldReader fields(next_line("the header of dataset 58"), lines_);
    function.type = fields.small_integer(5, "function type");
    function.number = fields.integer(10, "function identification number");
    function.version = fields.small_integer(5, "version number");
    function.load_case = fields.integer(10, "load case");
    fields.skip(1);
    function.response_name = fields.text(10);
    function.response_node = fields.integer(10, "response node");
    function.response_direction = fields.small_integer(4, "response direction");
    fields.skip(1);
    function.reference_name = fields.text(10);
    function.reference_node = fields.integer(10, "reference node");
    function.reference_direction = fields.small_integer(4, "reference direction");
  }

  // Record 7: 3I10,3E13.5
  DataForm read_data_form(UffFunction& function) {
    FieldReader fields(next_line("the header of dataset 58"), lines_);
    const int type = fields.small_integer(10, "ordinate data type");
    if (type != 2 && type != 4 && type != 5 && type != 6) {
      lines_.fail(fmt::format("ordinate data type must be 2, 4, 5 or 6, got {}", type));
    }
    DataForm form{.single = type == 2 || type == 5, .complex = type >= 5};
    form.points = fields.integer(10, "number of points");
    if (form.points < 0) {
      lines_.fail(fmt::format("number of points must not be negative, got {}", form.points));
    }
    const int spacing = fields.small_integer(10, "abscissa spacing");
    if (spacing != 0 && spacing != 1) {
      lines_.fail(fmt::format("abscissa spacing must be 0 (uneven) or 1 (even), got {}", spacing));
    }
    form.even = spacing == 1;
    function.single_precision = form.single;
    function.start = fields.real(13, "first abscissa");
    function.step = fields.real(13, "abscissa step");
    function.z_value = fields.real(13, "z-axis value");
    return form;
  }

  // Records 8 to 11: I10,3I5,2(1X,20A1). The unit is last: longer ones than 20 letters are kept.
  void read_axis(UffAxis& axis) {
    FieldReader fields(next_line("the header of dataset 58"), lines_);
    axis.data_type = fields.small_integer(10, "specific data type");
    axis.length_exponent = fields.small_integer(5, "length exponent");
    axis.force_exponent = fields.small_integer(5, "force exponent");
    axis.temperature_exponent = fields.small_integer(5, "temperature exponent");
    fields.skip(1);
    axis.label = fields.text(20);
    fields.skip(1);
    axis.unit = fields.text(std::string_view::npos);
  }

  // Only after the count was found believable.
  static void allocate(const DataForm& form, UffFunction& function) {
    function.x.resize(form.even ? 0 : form.points);
    function.real.resize(form.points);
    function.imaginary.resize(form.complex ? form.points : 0);
  }

  static double& number_at(UffFunction& function, const DataForm& form, long long index) {
    const long long point = index / form.numbers_per_point();
    const long long part = index % form.numbers_per_point() + (form.even ? 1 : 0);
    return part == 0   ? function.x(point)
           : part == 1 ? function.real(point)
                       : function.imaginary(point);
  }

  void read_text_values(const DataForm& form, UffFunction& function) {
    const long long count = form.points * form.numbers_per_point();
    const long long room = (static_cast<long long>(lines_.bytes_left()) + 1) / 2;
    if (count > room) {
      lines_.fail(
          fmt::format("dataset 58 announces {} numbers, the file has room for at most {} "
                      "(truncated file?)",
                      count, room));
    }
    allocate(form, function);
    for (long long read = 0; read < count;) {
      read = read_value_line(form, function, read, count);
    }
    if (!is_delimiter(next_line("the closing -1 of dataset 58"))) {
      lines_.fail(fmt::format("expected the closing -1 behind {} numbers", count));
    }
  }

  long long read_value_line(const DataForm& form, UffFunction& function, long long read,
                            long long count) {
    std::string_view line =
        next_line(fmt::format("number {} of {} of dataset 58", read + 1, count));
    if (is_delimiter(line)) {
      lines_.fail(fmt::format("dataset 58 announces {} numbers, only {} are there", count, read));
    }
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
      if (read == count) {
        lines_.fail(fmt::format("dataset 58 announces {} numbers, more are there", count));
      }
      const auto value = take_fortran_number(line);
      if (!value) {
        lines_.fail(fmt::format("expected a number, got '{}'", line.substr(0, 20)));
      }
      number_at(function, form, read++) = *value;
    }
    return read;
  }

  void read_binary_values(const Identifier& identifier, const DataForm& form,
                          UffFunction& function) {
    const std::size_t begin = lines_.position();
    const DataBody body = find_body(identifier, form, begin);
    allocate(form, function);
    const bool little = identifier.byte_order == 1;
    const bool swap = little != (std::endian::native == std::endian::little);
    const char* bytes = lines_.content().data() + begin;
    const long long count = form.points * form.numbers_per_point();
    for (long long index = 0; index < count; ++index) {
      const bool abscissa = !form.even && index % form.numbers_per_point() == 0;
      const bool single = form.single || (abscissa && body.single_abscissa);
      number_at(function, form, index) = decode(bytes, single, swap);
      bytes += single ? 4 : 8;
    }
    lines_.skip_to(body.end);
    open_dataset();  // the closing line, found by find_body
  }

  // The body has one of at most two sizes. The closing -1 must follow; where it follows both, the
  // announced number of bytes decides. A wrong announcement alone is no reason to refuse the file:
  // some programs count the ordinates only.
  DataBody find_body(const Identifier& identifier, const DataForm& form, std::size_t begin) const {
    const long long size = form.single ? 4 : 8;
    const long long all = form.points * form.numbers_per_point() * size;
    const long long mixed = form.points * (form.ordinates() * size + 4);
    const bool two_forms = !form.even && !form.single;
    const bool all_fits = closes_at(begin, all);
    const bool mixed_fits = two_forms && closes_at(begin, mixed);
    if (mixed_fits && (!all_fits || identifier.bytes == mixed)) {
      return {begin + static_cast<std::size_t>(mixed), true};
    }
    if (all_fits) {
      return {begin + static_cast<std::size_t>(all), false};
    }
    throw DataError({.file = lines_.file(), .byte = static_cast<long long>(begin)},
                    fmt::format("the {} points of dataset 58b need {} bytes and the closing -1 "
                                "behind; {} bytes are left (truncated file?)",
                                form.points, two_forms ? mixed : all, lines_.bytes_left()));
  }

  [[nodiscard]] bool closes_at(std::size_t begin, long long bytes) const {
    const std::string_view content = lines_.content();
    if (bytes > static_cast<long long>(content.size() - begin)) {
      return false;
    }
    std::string_view rest = content.substr(begin + static_cast<std::size_t>(bytes), 256);
    while (!rest.empty() && (rest.front() == '\n' || rest.front() == '\r')) {
      rest.remove_prefix(1);
    }
    return is_delimiter(rest.substr(0, rest.find_first_of("\r\n")));
  }

  TextLines lines_;
  UffContent content_;
  UffUnits units_;
};

}  // namespace

UffContent parse_uff(std::string_view content, const std::string& file) {
  return parse_uff(content, file, [](std::size_t) {});
}

UffContent parse_uff(std::string_view content, const std::string& file,
                     const std::function<void(std::size_t)>& release) {
  return Parser(content, file).parse(release);
}

}  // namespace alembert::io
