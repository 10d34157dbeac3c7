#include "io/uff/mark.hpp"

#include <fmt/core.h>

#include <charconv>

#include "alembert/core/text.hpp"
#include "io/file/text_lines.hpp"

namespace alembert::io {

namespace {

constexpr std::string_view kProgram = "alembert";

template <typename Number>
std::optional<Number> value_behind(std::string_view word, std::string_view key) {
  if (word.substr(0, key.size()) != key) {
    return std::nullopt;
  }
  word.remove_prefix(key.size());
  Number value{};
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::string format_mark(const UffMark& mark) {
  std::string line = fmt::format("{} record={} records={} channels={}", kProgram, mark.record,
                                 mark.records, mark.channels);
  if (mark.start && mark.step) {
    line += fmt::format(" start={} step={}", shortest(*mark.start), shortest(*mark.step));
  }
  return line;
}

std::optional<UffMark> parse_mark(std::string_view line) {
  if (take_word(line) != kProgram) {
    return std::nullopt;
  }
  const auto record = value_behind<long long>(take_word(line), "record=");
  const auto records = value_behind<long long>(take_word(line), "records=");
  const auto channels = value_behind<long long>(take_word(line), "channels=");
  if (!record || !records || !channels) {
    return std::nullopt;
  }
  UffMark mark{*record, *records, *channels, {}, {}};
  mark.start = value_behind<double>(take_word(line), "start=");
  mark.step = value_behind<double>(take_word(line), "step=");
  return mark;
}

}  // namespace alembert::io
