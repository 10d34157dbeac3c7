#include "io/hdf5/headers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/global_heap.hpp"
#include "io/hdf5/little_endian.hpp"

namespace alembert::io::hdf5 {

namespace {

// Types of messages [HDF5, IV.A.2].
constexpr std::uint64_t kSpace = 0x01;
constexpr std::uint64_t kType = 0x03;
constexpr std::uint64_t kLayout = 0x08;
constexpr std::uint64_t kAttribute = 0x0C;
constexpr std::uint64_t kContinuation = 0x10;
constexpr std::uint64_t kSymbolTable = 0x11;
constexpr std::uint64_t kShared = 0x02;  // a flag: the content stands elsewhere

constexpr std::size_t kPrefix = 16;
constexpr std::size_t kMessageHead = 8;
constexpr std::size_t kMostPieces = 4096;
constexpr std::size_t kNodeHead = 24;
constexpr std::size_t kHeapHead = 32;
constexpr std::size_t kEntry = 40;
constexpr int kDeepestTree = 32;

using Bytes = std::string_view;

// Lengths may be filled up to the next eight bytes.
bool fits(std::uint64_t needed, std::uint64_t length) {
  return length >= needed && length - needed < 8;
}

// Bytes of a type's description; none for those that hold others inside [HDF5, IV.A.2.d].
std::optional<std::uint64_t> type_length(Bytes type) {
  switch (number(type, 0, 1) & 15U) {
    case 0:  // integer
    case 4:  // bits
      return 12;
    case 1:  // floating point
      return 20;
    case 2:  // time
      return 10;
    case 3:  // text
    case 7:  // reference
      return 8;
    case 5:  // opaque, with its tag
      return 8 + number(type, 1, 1);
    default:
      return std::nullopt;
  }
}

// The size of an array: bytes of its description, and its elements [HDF5, IV.A.2.b].
struct Space {
  std::uint64_t length = 0;
  double elements = 1.0;  // a broken file may claim more than any integer holds
};

std::optional<Space> space_of(Bytes bytes) {
  const std::uint64_t version = number(bytes, 0, 1);
  if (version != 1 && version != 2) return std::nullopt;
  const std::uint64_t rank = number(bytes, 1, 1);
  const std::uint64_t flags = number(bytes, 2, 1);
  const std::size_t head = version == 1 ? 8 : 4;
  const std::uint64_t lists = 1 + (flags & 1U) + (version == 1 ? flags >> 1U & 1U : 0);
  Space space{.length = head + 8 * rank * lists};
  for (std::uint64_t d = 0; d < rank; ++d) {
    space.elements *= static_cast<double>(number(bytes, head + 8 * d, 8));
  }
  if (version == 2 && number(bytes, 3, 1) == 2) space.elements = 0.0;
  return space;
}

bool space_agrees(Bytes message) {
  const std::optional<Space> space = space_of(message);
  return !space || fits(space->length, message.size());
}

bool type_agrees(Bytes message) {
  const std::optional<std::uint64_t> length = type_length(message);
  return !length || fits(*length, message.size());
}

// Where type, size and value of an attribute stand; nothing where that is told otherwise. Name,
// type and size have lengths of their own before the value; in the first version each is filled up
// to eight bytes [HDF5, IV.A.2.m].
struct AttributeParts {
  std::uint64_t type = 0;
  std::uint64_t space = 0;
  std::uint64_t value = 0;
};

std::optional<AttributeParts> attribute_parts(Bytes message) {
  const std::uint64_t version = number(message, 0, 1);
  if (version < 1 || version > 3) return std::nullopt;
  if (version > 1 && number(message, 1, 1) != 0) return std::nullopt;  // parts stand elsewhere
  const auto filled = [&](std::uint64_t length) { return version == 1 ? padded(length) : length; };
  const std::uint64_t head = version == 3 ? 9 : 8;
  AttributeParts parts;
  parts.type = head + filled(number(message, 2, 2));
  parts.space = parts.type + filled(number(message, 4, 2));
  parts.value = parts.space + filled(number(message, 6, 2));
  return parts;
}

bool attribute_agrees(Bytes message) {
  const std::optional<AttributeParts> parts = attribute_parts(message);
  if (!parts) return true;
  if (parts->type + 8 > message.size() || parts->space + 4 > message.size() ||
      parts->value > message.size()) {
    return false;
  }
  const Bytes type = message.substr(parts->type, number(message, 4, 2));
  const std::optional<Space> space = space_of(message.substr(parts->space, number(message, 6, 2)));
  if (!space) return number(message, 6, 2) >= 4;
  const double value = space->elements * static_cast<double>(number(type, 4, 4));
  return type_agrees(type) && fits(space->length, number(message, 6, 2)) &&
         value <= static_cast<double>(message.size()) &&
         fits(parts->value + static_cast<std::uint64_t>(value), message.size());
}

// Where the lists or texts of any length that an attribute holds stand: a count of 4 bytes, the
// address of a collection, and 4 bytes for the place in it [HDF5, VIII.B].
std::set<std::uint64_t> collections_of(Bytes message) {
  constexpr std::uint64_t kAnyLength = 9;
  constexpr std::size_t kReference = 16;
  std::set<std::uint64_t> addresses;
  const std::optional<AttributeParts> parts = attribute_parts(message);
  if (!parts || (number(message, parts->type, 1) & 15U) != kAnyLength) return addresses;
  for (std::uint64_t at = parts->value; at + kReference <= message.size(); at += kReference) {
    if (number(message, at, 4) > 0) addresses.insert(number(message, at + 4, 8));
  }
  return addresses;
}

class HeaderWalk {
 public:
  HeaderWalk(const ByteSource& source, const Bounds& bounds, const std::string& path)
      : source_(source), bounds_(bounds), path_(path) {}

  std::vector<Extent> walk(std::uint64_t address, bool data_set) {
    const std::string prefix = read(address, kPrefix);
    if (prefix[0] != 1) return {};  // the newer form, or what the library does not open
    add_piece(address + kPrefix, number(prefix, 8, 4));
    pieces_.front().begin = address;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      piece(pieces_[k].begin + (k == 0 ? kPrefix : 0), pieces_[k].end);
    }
    if (!data_set && (has_layout_ || has_space_)) fail(address);
    pieces_.insert(pieces_.end(), lists_.begin(), lists_.end());
    return std::move(pieces_);
  }

 private:
  [[noreturn]] void fail(std::uint64_t at) const {
    throw DataError(
        {.file = source_.name(), .byte = static_cast<long long>(at)},
        fmt::format("{}: its description contradicts itself (broken file?)", excerpt(path_)));
  }

  [[nodiscard]] std::string read(std::uint64_t at, std::uint64_t length) const {
    if (at > source_.size() || length > source_.size() - at) fail(at);
    std::string bytes(length, '\0');
    source_.read(bytes.data(), length, at);
    return bytes;
  }

  void add_piece(std::uint64_t begin, std::uint64_t length) {
    total_ += length;
    if (pieces_.size() >= kMostPieces || length > source_.size() || total_ > source_.size() ||
        begin > source_.size()) {
      fail(begin);
    }
    pieces_.push_back({begin, begin + length, path_});
  }

  void piece(std::uint64_t begin, std::uint64_t end) {
    const std::string bytes = read(begin, end - begin);
    for (std::size_t at = 0; at + kMessageHead <= bytes.size();) {
      const std::uint64_t length = number(bytes, at + 2, 2);
      const std::size_t content = at + kMessageHead;
      if (length > bytes.size() - content) fail(begin + at);
      const bool shared = (number(bytes, at + 4, 1) & kShared) != 0;
      if (!shared && !agrees(number(bytes, at, 2), Bytes(bytes).substr(content, length))) {
        fail(begin + at);
      }
      at = content + length;
    }
  }

  bool agrees(std::uint64_t type, Bytes message) {
    switch (type) {
      case kSpace:
        has_space_ = true;
        return space_agrees(message);
      case kType:
        return type_agrees(message);
      case kLayout:
        has_layout_ = true;
        return true;
      case kAttribute:
        return attribute_agrees(message) && collections_agree(message);
      case kContinuation:
        add_piece(bounds_.begin + number(message, 0, 8), number(message, 8, 8));
        return true;
      case kSymbolTable:
        if (bounds_.node > 0) add_tree(number(message, 0, 8), 0);
        add_heap(number(message, 8, 8));
        return true;
      default:
        return true;
    }
  }

  void add_list(std::uint64_t address, std::uint64_t length) {
    if (lists_.size() > source_.size() / kPrefix) fail(address);
    lists_.push_back({bounds_.begin + address, bounds_.begin + address + length, path_});
  }

  // Members of a group by their names, in nodes and leaves of full length [HDF5, III.A.1, III.B].
  void add_tree(std::uint64_t address, int level) {
    if (level > kDeepestTree) fail(bounds_.begin + address);
    const std::string head = read(bounds_.begin + address, kNodeHead);
    if (head.substr(0, 4) != "TREE") return;  // the library says so
    const std::uint64_t used = number(head, 6, 2);
    add_list(address, kNodeHead + 8 * (4 * bounds_.node + 1));
    if (used > 2 * bounds_.node) fail(bounds_.begin + address);
    const std::string children = read(bounds_.begin + address + kNodeHead, 8 * (2 * used + 1));
    for (std::uint64_t k = 0; k < used; ++k) {
      const std::uint64_t child = number(children, 8 + 16 * k, 8);
      if (number(head, 5, 1) == 0) {
        add_list(child, 8 + 2 * bounds_.leaf * kEntry);
      } else {
        add_tree(child, level + 1);
      }
    }
  }

  // Their names [HDF5, III.D].
  void add_heap(std::uint64_t address) {
    const std::string head = read(bounds_.begin + address, kHeapHead);
    if (head.substr(0, 4) != "HEAP") return;
    add_list(address, kHeapHead);
    add_list(number(head, 24, 8), number(head, 8, 8));
  }

  // What is no collection the library refuses.
  [[nodiscard]] bool collections_agree(Bytes attribute) {
    for (const std::uint64_t address : collections_of(attribute)) {
      if (!collections_.insert(address).second) continue;
      const std::string head = read(bounds_.begin + address, kCollectionHead);
      if (head.substr(0, 4) != "GCOL") continue;
      if (!global_heap_agrees(read(bounds_.begin + address, number(head, 8, 8)))) return false;
    }
    return true;
  }

  const ByteSource& source_;
  const Bounds& bounds_;
  const std::string& path_;
  std::set<std::uint64_t> collections_;  // that were looked at
  std::vector<Extent> pieces_;
  std::vector<Extent> lists_;
  std::uint64_t total_ = 0;
  bool has_layout_ = false;
  bool has_space_ = false;
};

}  // namespace

// Superblock [HDF5, II.A]. The library takes what it finds where the file begins, and moves the end
// along if the file says that it began elsewhere.
Bounds bounds_of(const ByteSource& source, std::uint64_t begin) {
  constexpr std::size_t kLongest = 100;
  std::string bytes(std::min<std::uintmax_t>(
                        kLongest, source.size() - std::min<std::uintmax_t>(source.size(), begin)),
                    '\0');
  source.read(bytes.data(), bytes.size(), begin);
  const std::uint64_t version = number(bytes, 8, 1);
  const bool old = version < 2;
  const std::size_t base = old ? 24 + 4 * version : 12;
  const std::size_t end = base + 16;
  const std::size_t sizes = old ? 13 : 9;
  if (bytes.size() < end + 8) {
    throw DataError({.file = source.name()}, "is not a readable HDF5 file");
  }
  return {.begin = begin,
          .end = number(bytes, end, 8) - number(bytes, base, 8) + begin,
          .superblock = old ? 96 + 4 * version : 48,
          .usual = number(bytes, sizes, 1) == 8 && number(bytes, sizes + 1, 1) == 8,
          .leaf = old ? number(bytes, 16, 2) : 0,
          .node = old ? number(bytes, 18, 2) : 0};
}

std::vector<Extent> check_header(const ByteSource& source, const Bounds& bounds,
                                 std::uint64_t address, const std::string& path, bool data_set) {
  return HeaderWalk(source, bounds, path).walk(address, data_set);
}

}  // namespace alembert::io::hdf5
