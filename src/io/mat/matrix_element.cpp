#include "io/mat/matrix_element.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "alembert/core/error.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/mat/utf16.hpp"

namespace alembert::io::mat {

namespace {

constexpr std::size_t kMostSides = 64;         // dimensions
constexpr std::size_t kLongestText = 1 << 20;  // bytes of a name

// Types of what an element holds.
constexpr std::uint32_t kInt8 = 1;
constexpr std::uint32_t kUint8 = 2;
constexpr std::uint32_t kInt16 = 3;
constexpr std::uint32_t kUint16 = 4;
constexpr std::uint32_t kInt32 = 5;
constexpr std::uint32_t kUint32 = 6;
constexpr std::uint32_t kSingle = 7;
constexpr std::uint32_t kDouble = 9;
constexpr std::uint32_t kInt64 = 12;
constexpr std::uint32_t kUint64 = 13;
constexpr std::uint32_t kUtf8 = 16;
constexpr std::uint32_t kUtf16 = 17;

std::size_t width_of(std::uint32_t type) {
  switch (type) {
    case kInt8:
    case kUint8:
    case kUtf8:
      return 1;
    case kInt16:
    case kUint16:
    case kUtf16:
      return 2;
    case kInt32:
    case kUint32:
    case kSingle:
      return 4;
    case kDouble:
    case kInt64:
    case kUint64:
      return 8;
    default:
      return 0;
  }
}

void turn_bytes(unsigned char* bytes, std::size_t width, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) std::reverse(bytes + k * width, bytes + (k + 1) * width);
}

template <typename Number>
void convert(const unsigned char* bytes, std::size_t count, double* to) {
  for (std::size_t k = 0; k < count; ++k) {
    Number number{};
    std::memcpy(&number, bytes + k * sizeof(Number), sizeof(Number));
    to[k] = static_cast<double>(number);
  }
}

void convert(std::uint32_t type, const unsigned char* bytes, std::size_t count, double* to) {
  switch (type) {
    case kInt8:
      return convert<std::int8_t>(bytes, count, to);
    case kUint8:
      return convert<std::uint8_t>(bytes, count, to);
    case kInt16:
      return convert<std::int16_t>(bytes, count, to);
    case kUint16:
      return convert<std::uint16_t>(bytes, count, to);
    case kInt32:
      return convert<std::int32_t>(bytes, count, to);
    case kUint32:
      return convert<std::uint32_t>(bytes, count, to);
    case kSingle:
      return convert<float>(bytes, count, to);
    case kDouble:
      return convert<double>(bytes, count, to);
    case kInt64:
      return convert<std::int64_t>(bytes, count, to);
    default:
      return convert<std::uint64_t>(bytes, count, to);
  }
}

// A part of a matrix: its tag. Parts of up to 4 bytes may stand inside the tag.
struct Part {
  std::uint32_t type = 0;
  std::uintmax_t bytes = 0;
  std::uintmax_t padding = 0;
  bool inside = false;
  std::array<unsigned char, 4> held{};
};

class MatrixReader {
 public:
  MatrixReader(ElementStream& stream, Depth depth, const MatrixOptions& options)
      : stream_(stream), depth_(depth), options_(options) {}

  Variable matrix(std::uintmax_t left, int level) {
    Variable variable;
    if (left == 0) {
      variable.size = {0, 0};
      return variable;
    }
    if (level > kDeepestStructure) {
      fail(fmt::format("structures inside {} others", kDeepestStructure));
    }
    head(left, variable);
    if (level == 0 && depth_ == Depth::Head) return variable;
    content(left, variable, level);
    if (left >= kTagBytes) fail(fmt::format("{} bytes more than it needs", left));
    stream_.skip(left);  // padding
    return variable;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(
        {.file = options_.file, .byte = options_.byte},
        fmt::format("{}{} (broken file?)", name_.empty() ? "" : excerpt(name_) + ": ", reason));
  }

  std::uint32_t word(const unsigned char* bytes) const { return file_word(bytes, options_.swap); }

  void take(std::uintmax_t& left, std::uintmax_t bytes) const {
    if (bytes > left) fail(fmt::format("a part of {} bytes where {} are left", bytes, left));
    left -= bytes;
  }

  Part part(std::uintmax_t& left) {
    take(left, kTagBytes);
    std::array<unsigned char, kTagBytes> tag{};
    stream_.read(tag.data(), tag.size());
    Part result;
    const std::uint32_t first = word(tag.data());
    result.inside = (first >> 16U) != 0;
    result.type = result.inside ? first & 0xffffU : first;
    result.bytes = result.inside ? first >> 16U : word(tag.data() + 4);
    if (result.inside) {
      std::copy(tag.begin() + 4, tag.end(), result.held.begin());
      if (result.bytes > result.held.size()) fail("a part inside its tag of more than 4 bytes");
      return result;
    }
    take(left, result.bytes);
    // Some programs leave the padding of the last part out.
    result.padding = std::min(left, (kTagBytes - result.bytes % kTagBytes) % kTagBytes);
    left -= result.padding;
    return result;
  }

  // The whole part.
  std::vector<unsigned char> bytes_of(const Part& part) {
    require_room(options_.file, "a text", part.bytes, 1, 1, options_.limits);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(part.bytes));
    if (part.inside) {
      std::copy_n(part.held.begin(), bytes.size(), bytes.begin());
    } else {
      stream_.read(bytes.data(), bytes.size());
      stream_.skip(part.padding);
    }
    return bytes;
  }

  void skip(const Part& part) {
    if (!part.inside) stream_.skip(part.bytes + part.padding);
  }

  std::vector<std::uint32_t> words_of(const Part& part, const char* what) {
    if ((part.type != kInt32 && part.type != kUint32) || part.bytes % 4 != 0) {
      fail(fmt::format("{} must be 32-bit integers, got type {} with {} bytes", what, part.type,
                       part.bytes));
    }
    const std::vector<unsigned char> bytes = bytes_of(part);
    std::vector<std::uint32_t> words(bytes.size() / 4);
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = word(bytes.data() + 4 * k);
    return words;
  }

  void head(std::uintmax_t& left, Variable& variable) {
    const std::vector<std::uint32_t> flags = words_of(part(left), "the flags");
    if (flags.size() != 2) fail("the flags of the variable are not there");
    variable.kind = static_cast<Kind>(flags[0] & 0xffU);
    variable.complex = (flags[0] & 0x800U) != 0;
    variable.logical = (flags[0] & 0x200U) != 0;
    if ((flags[0] & 0xffU) == 0 || variable.kind > Kind::Opaque) {
      fail(fmt::format("class {} is not known", flags[0] & 0xffU));
    }
    if (variable.kind != Kind::Opaque) dimensions(left, variable);
    const Part name = part(left);
    if (width_of(name.type) != 1 || name.bytes > kLongestText) fail("its name is not there");
    const std::vector<unsigned char> letters = bytes_of(name);
    variable.name.assign(letters.begin(), std::find(letters.begin(), letters.end(), '\0'));
    if (name_.empty()) name_ = variable.name;
  }

  void dimensions(std::uintmax_t& left, Variable& variable) {
    const Part sides = part(left);
    if (sides.bytes < 8 || sides.bytes > 4 * kMostSides) fail("its size is not there");
    for (const std::uint32_t side : words_of(sides, "the size")) {
      if (side > 0x7fffffffU) fail("a side of the variable is negative");
      variable.size.push_back(side);
    }
  }

  void content(std::uintmax_t& left, Variable& variable, int level) {
    if (variable.kind == Kind::Struct) return structure(left, variable, level);
    if (variable.kind == Kind::Cell) return cells(left, variable, level);
    const bool full = variable.kind >= Kind::Double && variable.kind <= Kind::Uint64;
    const bool known = full || variable.kind == Kind::Text || variable.kind == Kind::Sparse;
    if (!known || depth_ != Depth::Content) {
      stream_.skip(std::exchange(left, 0));
    } else if (full) {
      numbers(left, variable);
    } else if (variable.kind == Kind::Text) {
      text(left, variable);
    } else {
      sparse(left, variable);
    }
  }

  std::size_t numbers_in(const Part& part) const {
    const std::size_t width = width_of(part.type);
    if (width == 0 || part.type == kUtf8 || part.type == kUtf16 || part.bytes % width != 0) {
      fail(fmt::format("numbers of type {} in {} bytes", part.type, part.bytes));
    }
    return static_cast<std::size_t>(part.bytes / width);
  }

  void read_numbers(const Part& part, std::size_t count, double* to) {
    const std::size_t width = width_of(part.type);
    if (part.inside) {
      std::array<unsigned char, 4> bytes = part.held;
      if (options_.swap) turn_bytes(bytes.data(), width, count);
      convert(part.type, bytes.data(), count, to);
      return;
    }
    if (part.type == kDouble && !options_.swap) {
      stream_.read(to, count * width);
    } else {
      constexpr std::size_t kPiece = 8192;
      std::array<unsigned char, 8 * kPiece> bytes;
      for (std::size_t done = 0; done < count; done += kPiece) {
        const std::size_t now = std::min(kPiece, count - done);
        stream_.read(bytes.data(), now * width);
        if (options_.swap) turn_bytes(bytes.data(), width, now);
        convert(part.type, bytes.data(), now, to + done);
      }
    }
    stream_.skip(part.padding);
  }

  Eigen::MatrixXd values(std::uintmax_t& left, const Variable& variable) {
    const std::size_t count = variable.count();
    const Part stored = part(left);
    // Arrays are stored in smaller types where these hold them, never as other numbers of 8 bytes.
    const bool whole = stored.type == kInt64 || stored.type == kUint64;
    if (whole && variable.kind != Kind::Int64 && variable.kind != Kind::Uint64) {
      fail("its numbers are 64-bit integers, its class says otherwise");
    }
    if (numbers_in(stored) != count) {
      fail(fmt::format("{} numbers where its size says {}", numbers_in(stored), count));
    }
    require_room(options_.file, "variable " + excerpt(name_), count, 1, sizeof(double),
                 options_.limits);
    const auto rows = static_cast<Eigen::Index>(variable.size[0]);
    Eigen::MatrixXd values(rows, rows == 0 ? static_cast<Eigen::Index>(variable.size[1])
                                           : static_cast<Eigen::Index>(count) / rows);
    read_numbers(stored, count, values.data());
    return values;
  }

  void numbers(std::uintmax_t& left, Variable& variable) {
    variable.numbers.real = values(left, variable);
    if (variable.complex) variable.numbers.imaginary = values(left, variable);
  }

  void text(std::uintmax_t& left, Variable& variable) {
    const Part letters = part(left);
    const std::size_t width = width_of(letters.type);
    if (width != 1 && width != 2) {
      skip(letters);
      return;
    }
    std::vector<unsigned char> bytes = bytes_of(letters);
    if (width == 1) {
      variable.text = to_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      return;
    }
    if (options_.swap) turn_bytes(bytes.data(), width, bytes.size() / width);
    std::u16string units(bytes.size() / width, u'\0');
    if (!units.empty()) std::memcpy(units.data(), bytes.data(), width * units.size());
    variable.text = from_utf16(units);
  }

  std::vector<std::int64_t> indices(std::uintmax_t& left) {
    const Part stored = part(left);
    require_room(options_.file, "variable " + excerpt(name_), stored.bytes, 1, 3, options_.limits);
    const std::vector<std::uint32_t> words = words_of(stored, "the indices");
    return {words.begin(), words.end()};
  }

  void sparse(std::uintmax_t& left, Variable& variable) {
    variable.sparse.rows = indices(left);
    variable.sparse.starts = indices(left);
    const Part stored = part(left);
    const std::size_t count = numbers_in(stored);
    require_room(options_.file, "variable " + excerpt(name_), count, 1, sizeof(double),
                 options_.limits);
    variable.sparse.values.resize(static_cast<Eigen::Index>(count));
    read_numbers(stored, count, variable.sparse.values.data());
    stream_.skip(std::exchange(left, 0));  // imaginary parts, which nobody asks for
  }

  void field_names(std::uintmax_t& left, Variable& variable) {
    const std::vector<std::uint32_t> lengths = words_of(part(left), "the length of field names");
    const Part names = part(left);
    if (lengths.size() != 1 || lengths[0] == 0 || lengths[0] > kLongestText ||
        width_of(names.type) != 1 || names.bytes % lengths[0] != 0) {
      fail("the names of its fields are not there");
    }
    const std::vector<unsigned char> bytes = bytes_of(names);
    for (std::size_t begin = 0; begin < bytes.size(); begin += lengths[0]) {
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
      variable.fields.emplace_back(first, std::find(first, first + lengths[0], '\0'));
    }
  }

  void structure(std::uintmax_t& left, Variable& variable, int level) {
    field_names(left, variable);
    const std::size_t elements = variable.count();
    const std::size_t fields = variable.fields.size();
    if (fields > 0 && elements > left / kTagBytes / fields) {
      fail(fmt::format("{} structures of {} fields in {} bytes", elements, fields, left));
    }
    if (fields == 0) variable.size = {0, 0};  // however many of nothing
    require_room(options_.file, "a structure array", elements, fields, sizeof(Variable),
                 options_.limits);
    variable.parts.reserve(elements * fields);
    for (std::size_t k = 0; k < elements * fields; ++k) {
      const Part field = part(left);
      if (field.type != kMatrixElement || field.inside) fail("a field is no variable");
      variable.parts.push_back(matrix(field.bytes, level + 1));
      stream_.skip(field.padding);
      variable.parts.back().name = variable.fields[k % fields];
    }
  }

  void cells(std::uintmax_t& left, Variable& variable, int level) {
    const std::size_t count = variable.count();
    if (count > left / kTagBytes) fail(fmt::format("{} cells in {} bytes", count, left));
    require_room(options_.file, "a cell array", count, 1, sizeof(Variable), options_.limits);
    variable.parts.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      const Part cell = part(left);
      if (cell.type != kMatrixElement || cell.inside) fail("a cell is no variable");
      variable.parts.push_back(matrix(cell.bytes, level + 1));
      stream_.skip(cell.padding);
      variable.parts.back().name = fmt::format("{}{{{}}}", variable.name, k + 1);
    }
  }

  ElementStream& stream_;
  Depth depth_;
  const MatrixOptions& options_;
  std::string name_;  // of the variable, for messages
};

}  // namespace

std::uint32_t file_word(const unsigned char* bytes, bool swap) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return swap ? __builtin_bswap32(value) : value;
}

Variable read_matrix_element(ElementStream& stream, std::uintmax_t bytes, Depth depth,
                             const MatrixOptions& options) {
  return MatrixReader(stream, depth, options).matrix(bytes, 0);
}

}  // namespace alembert::io::mat
