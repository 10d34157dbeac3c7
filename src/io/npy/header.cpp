#include "io/npy/header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/file/text_excerpt.hpp"

namespace alembert::io::npy {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr int kDeepest = 8;

// The dictionary of the header is a Python literal: strings, whole numbers, True, False, tuples and
// lists.
class Literal {
 public:
  Literal(std::string_view text, const Place& place) : rest_(text), place_(place) {}

  [[nodiscard]] bool take(char letter) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != letter) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char letter) {
    if (!take(letter)) {
      fail(fmt::format("'{}' expected", letter));
    }
  }

  [[nodiscard]] char next() {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_.front();
  }

  std::string text() {
    const char quote = next();
    if (quote != '\'' && quote != '"') {
      fail("a text expected");
    }
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) {
      fail("a text without end");
    }
    std::string found(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return found;
  }

  bool truth() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true},
                                      std::pair<std::string_view, bool>{"False", false}}) {
      if (rest_.substr(0, word.size()) == word) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("True or False expected");
  }

  std::uintmax_t whole() {
    skip_blanks();
    std::uintmax_t value = 0;
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (code != std::errc()) {
      fail("a whole number expected");
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    static_cast<void>(take('L'));  // Python 2
    return value;
  }

  std::vector<std::uintmax_t> tuple() {
    std::vector<std::uintmax_t> values;
    if (next() != '(') {
      values.push_back(whole());
      return values;
    }
    expect('(');
    while (!take(')')) {
      values.push_back(whole());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(place_, fmt::format("the header of the array is broken: {} at {}", reason,
                                        excerpt(rest_.substr(0, 20))));
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
  }

  std::string_view rest_;
  const Place& place_;
};

bool is_size(char kind, std::size_t size) {
  switch (kind) {
    case 'f':
      return size == 2 || size == 4 || size == 8;
    case 'c':
      return size == 8 || size == 16;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
      return size == 1;
    default:
      return false;
  }
}

// `<f8`: byte order, kind, bytes. Texts, times and padding (U S a V M m) take room and are no
// numbers.
Field parse_type(const std::string& type, const Place& place) {
  const auto unknown = [&]() -> DataError {
    return {place, fmt::format("numbers of type {} cannot be read", excerpt(type))};
  };
  if (type.find('O') != std::string::npos) {
    throw DataError(place, "holds Python objects, which are never loaded; save numbers");
  }
  if (type.size() < 3) throw unknown();
  Field field{.kind = type[1], .big_endian = type[0] == '>'};
  const char* begin = type.data() + 2;
  const auto [end, code] = std::from_chars(begin, type.data() + type.size(), field.size);
  if (code != std::errc() || field.size > kLargestHeader) throw unknown();
  const bool number = is_size(field.kind, field.size) && end == type.data() + type.size();
  if (std::string_view("<>|=").find(type[0]) == std::string_view::npos) throw unknown();
  if (!number) {
    if (std::string_view("USaVMm").find(field.kind) == std::string_view::npos) throw unknown();
    field.size *= field.kind == 'U' ? 4 : 1;
    field.kind = 'x';
  }
  return field;
}

std::size_t product(const std::vector<std::uintmax_t>& values, const Place& place) {
  std::uintmax_t result = 1;
  for (const std::uintmax_t value : values) {
    if (value != 0 && result > std::numeric_limits<std::uintmax_t>::max() / 32 / value) {
      throw DataError(place, "the shape of the array is not believable");
    }
    result *= value;
  }
  return static_cast<std::size_t>(result);
}

// A name, or a pair of title and name.
std::string field_name(Literal& literal) {
  if (!literal.take('(')) {
    return literal.text();
  }
  static_cast<void>(literal.text());
  literal.expect(',');
  std::string name = literal.text();
  literal.expect(')');
  return name;
}

void add_fields(Literal& literal, const std::string& prefix, int depth, const Place& place,
                Header& header);

// ('name', '<f8'), ('name', '<f8', (3,)) or ('name', [fields])
void add_field(Literal& literal, const std::string& prefix, int depth, const Place& place,
               Header& header) {
  literal.expect('(');
  const std::string name = prefix + field_name(literal);
  literal.expect(',');
  if (literal.next() == '[') {
    add_fields(literal, name + ".", depth + 1, place, header);
    static_cast<void>(literal.take(','));
    if (!literal.take(')')) {
      throw DataError(place, fmt::format("the field {} is an array of structures, which cannot be "
                                         "read",
                                         excerpt(name)));
    }
    return;
  }
  Field field = parse_type(literal.text(), place);
  field.name = name;
  field.offset = header.element;
  if (literal.take(',') && literal.next() != ')') {
    field.count = product(literal.tuple(), place);
    static_cast<void>(literal.take(','));
  }
  literal.expect(')');
  header.element += field.size * field.count;
  if (header.element > kLargestHeader || field.count > kLargestHeader) {
    throw DataError(place, "elements of more than 1 MB are not believable");
  }
  header.fields.push_back(std::move(field));
}

void add_fields(Literal& literal, const std::string& prefix, int depth, const Place& place,
                Header& header) {
  if (depth > kDeepest) {
    literal.fail("structures lie too deep");
  }
  literal.expect('[');
  while (!literal.take(']')) {
    add_field(literal, prefix, depth, place, header);
    if (!literal.take(',')) {
      literal.expect(']');
      break;
    }
  }
}

void read_type(Literal& literal, const Place& place, Header& header) {
  if (literal.next() == '[') {
    header.structured = true;
    header.type = "structure";
    add_fields(literal, "", 0, place, header);
    return;
  }
  header.type = literal.text();
  header.fields.push_back(parse_type(header.type, place));
  header.element = header.fields.front().size;
}

// The entries of the dictionary, a bit for each.
constexpr int kType = 1;
constexpr int kOrder = 2;
constexpr int kShape = 4;

int entry_of(std::string_view key) {
  if (key == "descr") return kType;
  if (key == "fortran_order") return kOrder;
  return key == "shape" ? kShape : 0;
}

void read_dictionary(std::string_view text, const Place& place, Header& header) {
  Literal literal(text, place);
  int found = 0;
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string key = literal.text();
    const int entry = entry_of(key);
    literal.expect(':');
    if (entry == 0) literal.fail(fmt::format("unknown entry {}", excerpt(key)));
    // The fields of a first type would lie outside the elements of a second one.
    if ((found & entry) != 0) literal.fail(fmt::format("entry {} stands twice", excerpt(key)));
    found |= entry;
    if (entry == kType) read_type(literal, place, header);
    if (entry == kOrder) header.fortran_order = literal.truth();
    if (entry == kShape) header.shape = literal.tuple();
    if (!literal.take(',')) {
      literal.expect('}');
      break;
    }
  }
  if (found != (kType | kOrder | kShape) || header.element == 0) {
    literal.fail("descr, fortran_order or shape is missing");
  }
}

}  // namespace

bool begins_like_npy(std::string_view start) { return start.substr(0, kMagic.size()) == kMagic; }

std::size_t header_bytes(std::string_view start) {
  const auto byte = [start](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(start[at])};
  };
  if (byte(6) == 1) {
    return 10 + (byte(8) | byte(9) << 8U);
  }
  return 12 + (byte(8) | byte(9) << 8U | byte(10) << 16U | byte(11) << 24U);
}

Header read_header(std::string_view content, std::uintmax_t size, const Place& place) {
  if (!begins_like_npy(content) || content.size() < 12) {
    throw DataError(place, "is no array of NumPy: it does not begin with \\x93NUMPY");
  }
  const int version = static_cast<unsigned char>(content[6]);
  const std::size_t end = header_bytes(content);
  if (version < 1 || version > 3) {
    throw DataError(place, fmt::format("version {} of the format is not known", version));
  }
  if (end > kLargestHeader || end > content.size() || end > size) {
    throw DataError(place, "the header of the array is longer than the file");
  }
  Header header;
  header.begin = end;
  const std::size_t front = version == 1 ? 10 : 12;
  read_dictionary(content.substr(front, end - front), place, header);
  const std::uintmax_t bytes = product(header.shape, place);
  if (bytes > (size - end) / header.element || bytes * header.element != size - end) {
    throw DataError(place, fmt::format("the array has {} bytes where its shape needs {} elements "
                                       "of {}",
                                       size - end, bytes, header.element));
  }
  return header;
}

}  // namespace alembert::io::npy
