#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/uff.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/file_content.hpp"
#include "io/uff/fields.hpp"
#include "io/uff/mark.hpp"
#include "io/uff/quantities.hpp"

namespace alembert::io {

namespace {

constexpr std::size_t kSingleWidth = 13;
constexpr std::size_t kDoubleWidth = 20;

std::string integer_field(long long value, std::size_t width, std::string_view what) {
  std::string text = fmt::format("{:>{}}", value, width);
  if (text.size() > width) {
    throw InvalidInput({.function = "write_uff_functions",
                        .argument = std::string(what),
                        .rule = fmt::format("must fit {} columns", width),
                        .value = fmt::format("{}", value)});
  }
  return text;
}

// Text cut to a width, not through a letter of several bytes, and padded.
std::string text_field(std::string_view text, std::size_t width) {
  if (text.size() > width) {
    std::size_t end = width;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    text = text.substr(0, end);
  }
  std::string field(text);
  field.resize(width, ' ');
  return field;
}

void check_line(std::string_view text, std::string_view what) {
  if (text.find_first_of("\r\n") != std::string_view::npos) {
    throw InvalidInput({.function = "write_uff_functions",
                        .argument = std::string(what),
                        .rule = "must be one line",
                        .value = fmt::format("'{}'", escaped(text))});
  }
}

void check_function(const UffFunction& function) {
  const Eigen::Index points = function.real.size();
  if ((!function.is_even() && function.x.size() != points) ||
      (function.is_complex() && function.imaginary.size() != points)) {
    throw InvalidInput(
        {.function = "write_uff_functions",
         .argument = "x and imaginary",
         .rule = fmt::format("must be empty or as long as real ({})", points),
         .value = fmt::format("{} and {}", function.x.size(), function.imaginary.size())});
  }
  for (const std::string& id : function.id) {
    check_line(id, "an ID line");
  }
  for (const UffAxis* axis :
       {&function.abscissa, &function.ordinate, &function.denominator, &function.z_axis}) {
    check_line(axis->label, "a label");
    check_line(axis->unit, "a unit");
  }
  check_line(function.response_name, "the response name");
  check_line(function.reference_name, "the reference name");
}

class UffWriter {
 public:
  explicit UffWriter(const UffOptions& options) : options_(options) {}

  void write(const UffFunction& function) {
    check_function(function);
    write_identifier(function);
    for (const std::string& id : function.id) {
      line(id);
    }
    write_degrees_of_freedom(function);
    write_data_form(function);
    for (const UffAxis* axis :
         {&function.abscissa, &function.ordinate, &function.denominator, &function.z_axis}) {
      write_axis(*axis);
    }
    if (options_.binary) {
      write_bytes(function);
    } else {
      write_numbers(function);
    }
    line("    -1");
  }

  [[nodiscard]] std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  void line(std::string_view content) {
    text_.append(content.data(), content.data() + content.size());
    text_.push_back('\n');
  }

  void write_identifier(const UffFunction& function) {
    line("    -1");
    if (!options_.binary) {
      line("    58");
      return;
    }
    const Eigen::Index numbers =
        function.x.size() + function.real.size() + function.imaginary.size();
    const Eigen::Index bytes = numbers * (function.single_precision ? 4 : 8);
    line(fmt::format("    58b{:6}{:6}{:12}{:12}{:6}{:6}{:12}{:12}", options_.big_endian ? 2 : 1, 2,
                     11, bytes, 0, 0, 0, 0));
  }

  // Record 6: 2(I5,I10),2(1X,10A1,I10,I4)
  void write_degrees_of_freedom(const UffFunction& f) {
    line(integer_field(f.type, 5, "type") + integer_field(f.number, 10, "number") +
         integer_field(f.version, 5, "version") + integer_field(f.load_case, 10, "load_case") +
         " " + text_field(f.response_name, 10) +
         integer_field(f.response_node, 10, "response_node") +
         integer_field(f.response_direction, 4, "response_direction") + " " +
         text_field(f.reference_name, 10) + integer_field(f.reference_node, 10, "reference_node") +
         integer_field(f.reference_direction, 4, "reference_direction"));
  }

  // Record 7: 3I10,3E13.5
  void write_data_form(const UffFunction& f) {
    const int type = f.is_complex() ? (f.single_precision ? 5 : 6) : (f.single_precision ? 2 : 4);
    line(fmt::format("{:10}{:>10}{:10}", type, integer_field(f.real.size(), 10, "number of points"),
                     f.is_even() ? 1 : 0) +
         fitted_number(f.is_even() ? f.start : 0.0, kSingleWidth) +
         fitted_number(f.is_even() ? f.step : 0.0, kSingleWidth) +
         fitted_number(f.z_value, kSingleWidth));
  }

  // Records 8 to 11: I10,3I5,2(1X,20A1); a longer unit runs on, other readers cut it.
  void write_axis(const UffAxis& axis) {
    line(integer_field(axis.data_type, 10, "data_type") +
         integer_field(axis.length_exponent, 5, "length_exponent") +
         integer_field(axis.force_exponent, 5, "force_exponent") +
         integer_field(axis.temperature_exponent, 5, "temperature_exponent") + " " +
         text_field(axis.label, 20) + " " +
         (axis.unit.size() > 20 ? axis.unit : text_field(axis.unit, 20)));
  }

  // 6E13.5 in single precision; in double 4E20.12 (even), 2(E13.5,E20.12) or E13.5,2E20.12
  // (uneven).
  void write_numbers(const UffFunction& function) {
    check_abscissae(function);
    const int per_point = (function.is_even() ? 1 : 2) + (function.is_complex() ? 1 : 0);
    int per_line = function.single_precision ? 6 : 4;
    per_line -= per_line % per_point;
    int in_line = 0;
    for_each_number(function, [&](double value, bool abscissa) {
      const bool narrow = abscissa || function.single_precision;
      const std::string field = fitted_number(value, narrow ? kSingleWidth : kDoubleWidth);
      text_.append(field.data(), field.data() + field.size());
      if (++in_line == per_line) {
        text_.push_back('\n');
        in_line = 0;
      }
    });
    if (in_line > 0) {
      text_.push_back('\n');
    }
  }

  static void check_abscissae(const UffFunction& function) {
    for (Eigen::Index k = 1; k < function.x.size(); ++k) {
      if (function.x(k) != function.x(k - 1) &&
          fitted_number(function.x(k), kSingleWidth) ==
              fitted_number(function.x(k - 1), kSingleWidth)) {
        throw InvalidInput(
            {.function = "write_uff_functions",
             .argument = "abscissae",
             .rule = fmt::format("must differ in {} columns of text", kSingleWidth),
             .value = fmt::format("{} and {}; use binary = true", shortest(function.x(k - 1)),
                                  shortest(function.x(k)))});
      }
    }
  }

  void write_bytes(const UffFunction& function) {
    const bool swap = options_.big_endian == (std::endian::native == std::endian::little);
    for_each_number(function, [&](double value, bool) {
      char bytes[8];
      if (function.single_precision) {
        const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        const std::uint32_t ordered = swap ? __builtin_bswap32(word) : word;
        std::memcpy(bytes, &ordered, 4);
      } else {
        const auto word = std::bit_cast<std::uint64_t>(value);
        const std::uint64_t ordered = swap ? __builtin_bswap64(word) : word;
        std::memcpy(bytes, &ordered, 8);
      }
      text_.append(bytes, bytes + (function.single_precision ? 4 : 8));
    });
  }

  template <typename Use>
  static void for_each_number(const UffFunction& function, const Use& use) {
    for (Eigen::Index k = 0; k < function.real.size(); ++k) {
      if (!function.is_even()) {
        use(function.x(k), true);
      }
      use(function.real(k), false);
      if (function.is_complex()) {
        use(function.imaginary(k), false);
      }
    }
  }

  UffOptions options_;
  fmt::memory_buffer text_;
};

UffAxis ordinate_of(const signal::Channel& channel) {
  for (const UffQuantity& quantity : kUffQuantities) {
    if (quantity.unit == channel.unit) {
      return {.data_type = quantity.data_type,
              .length_exponent = quantity.length_exponent,
              .force_exponent = quantity.force_exponent,
              .label = std::string(quantity.label),
              .unit = channel.unit};
    }
  }
  return {.unit = escaped(channel.unit)};
}

UffFunction time_response(const signal::Record& record, UffMark mark, std::size_t column) {
  const signal::Channel& channel = record.channels()[column];
  const signal::TimeAxis& time = record.time();
  UffFunction function;
  if (time.is_uniform()) {
    function.start = time.start();
    function.step = time.step();
    mark.start = time.start();
    mark.step = time.step();
  } else {
    function.x = time.times();
  }
  function.id = {escaped(channel.name), escaped(record.title()), "NONE",
                 escaped(channel.description), format_mark(mark)};
  function.type = kUffTimeResponse;
  function.number = static_cast<long long>(column) + 1;
  function.response_name = escaped(channel.name);
  function.response_node = static_cast<long long>(column) + 1;
  function.abscissa = {.data_type = kUffTime, .label = "Time", .unit = "s"};
  function.ordinate = ordinate_of(channel);
  function.real = record.samples().col(static_cast<Eigen::Index>(column));
  return function;
}

}  // namespace

void write_uff_functions(const std::filesystem::path& file,
                         const std::vector<UffFunction>& functions, const UffOptions& options) {
  UffWriter writer(options);
  for (const UffFunction& function : functions) {
    writer.write(function);
  }
  write_content(file, writer.text());
}

void write_uff(const std::filesystem::path& file, const signal::Records& records,
               const UffOptions& options) {
  UffWriter writer(options);
  const auto has_channels = [](const signal::Record& record) { return record.channel_count() > 0; };
  if (records.empty() || !std::all_of(records.begin(), records.end(), has_channels)) {
    throw InvalidInput({.function = "write_uff",
                        .item = "each record",
                        .rule = "must have at least one channel",
                        .value = "none"});
  }
  UffMark mark{.records = static_cast<long long>(records.size())};
  for (const signal::Record& record : records) {
    ++mark.record;
    mark.channels = record.channel_count();
    for (std::size_t c = 0; c < record.channels().size(); ++c) {
      writer.write(time_response(record, mark, c));
    }
  }
  write_content(file, writer.text());
}

}  // namespace alembert::io
