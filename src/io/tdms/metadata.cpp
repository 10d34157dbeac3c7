#include "io/tdms/metadata.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/tdms/raw_data.hpp"

namespace alembert::io::tdms {
namespace {

constexpr std::size_t kLeadIn = 28;
constexpr std::uint64_t kUnfinished = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kNoRawData = 0xFFFFFFFFU;
constexpr std::uint32_t kAsBefore = 0;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 48U;
constexpr std::uintmax_t kProperty = 100;             // bytes in memory, about
constexpr std::uintmax_t kMostIdleWork = 100000000U;  // channels without numbers in all segments

// Bits of the table of contents.
constexpr std::uint64_t kHasMetadata = 1U << 1U;
constexpr std::uint64_t kNewObjects = 1U << 2U;
constexpr std::uint64_t kHasRawData = 1U << 3U;
constexpr std::uint64_t kInterleaved = 1U << 5U;
constexpr std::uint64_t kBigEndian = 1U << 6U;
constexpr std::uint64_t kDaqmx = 1U << 7U;

// The bytes of a file from a place on; nothing is read beyond `end`.
class Cursor {
 public:
  Cursor(std::string_view content, std::uintmax_t at, std::uintmax_t end, bool big_endian,
         const Place& place)
      : content_(content), at_(at), end_(end), big_endian_(big_endian), place_(place) {}

  std::uint64_t whole(std::size_t size) {
    require(size);
    const std::uint64_t value = whole_at(content_, at_, size, big_endian_);
    at_ += size;
    return value;
  }
  std::uint32_t whole32() { return static_cast<std::uint32_t>(whole(4)); }

  std::string text() {
    const std::uint64_t length = whole(4);
    require(length);
    const std::string_view found =
        content_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(length));
    at_ += length;
    return to_utf8(found);
  }

  double value(Type type) {
    require(size_of(type));
    const double found = value_at(content_, at_, type, big_endian_);
    at_ += size_of(type);
    return found;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError({.file = place_.file, .byte = static_cast<long long>(at_)}, reason);
  }
  [[nodiscard]] bool big_endian() const { return big_endian_; }

 private:
  void require(std::uintmax_t length) const {
    if (length > end_ - at_) fail("the description of the channels ends early (broken file?)");
  }

  std::string_view content_;
  std::uintmax_t at_;
  std::uintmax_t end_;
  bool big_endian_;
  const Place& place_;
};

// `/'group'/'channel'`, where quotes inside a name are doubled.
std::vector<std::string> names_in(const std::string& path, const Cursor& cursor) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at + 1 < path.size() && path[at] == '/' && path[at + 1] == '\'') {
    std::string name;
    for (at += 2; at < path.size(); ++at) {
      const bool quote = path[at] == '\'';
      if (quote && (at + 1 >= path.size() || path[at + 1] != '\'')) break;
      at += quote ? 1 : 0;
      name += path[at];
    }
    ++at;
    names.push_back(std::move(name));
  }
  if (names.size() > 2 || (names.empty() && path != "/")) {
    cursor.fail(fmt::format("the name {} is no channel, no group and not the file", excerpt(path)));
  }
  return names;
}

// How the numbers of an object lie in the chunks of a segment.
struct Index {
  Type type = Type::Void;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  // of one chunk
};

class Reader {
 public:
  Reader(std::string_view content, const Place& place, const ReadLimits& limits)
      : content_(content), place_(place), limits_(limits), limit_(memory_limit(limits)) {}

  std::vector<Object> read() {
    std::uintmax_t at = 0;
    while (at < content_.size()) {
      at = read_segment(at);
    }
    return std::move(objects_);
  }

 private:
  std::uintmax_t read_segment(std::uintmax_t at) {
    if (content_.size() - at < kLeadIn) fail(at, "ends inside a segment (cut off?)");
    if (content_.substr(static_cast<std::size_t>(at), 4) != "TDSm") {
      fail(at, at == 0 ? "is no TDMS file: it does not begin with TDSm"
                       : "no segment where one should begin (broken file?)");
    }
    const std::uint64_t contents = whole_at(content_, at + 4, 4, false);
    const bool big_endian = (contents & kBigEndian) != 0;
    const std::uintmax_t begin = at + kLeadIn;
    const std::uintmax_t there = content_.size() - begin;
    std::uint64_t length = whole_at(content_, at + 12, 8, big_endian);
    const std::uint64_t raw = whole_at(content_, at + 20, 8, big_endian);
    length = length == kUnfinished ? there : length;  // the writer was cut off
    if (length > there || raw > length) fail(at, "a segment is longer than the file (cut off?)");
    if ((contents & kHasMetadata) != 0) {
      Cursor cursor(content_, begin, begin + raw, big_endian, place_);
      read_metadata(cursor, (contents & kNewObjects) != 0);
    }
    if ((contents & kHasRawData) != 0 && length > raw) {
      if ((contents & kDaqmx) != 0) {
        fail(at, "holds raw data of DAQmx, which cannot be read; save scaled data");
      }
      place_raw_data(begin + raw, length - raw, contents);
    }
    return begin + length;
  }

  void read_metadata(Cursor& cursor, bool new_list) {
    if (new_list) {
      for (const std::size_t place : active_) is_active_[place] = false;
      active_.clear();
    }
    const std::uint32_t count = cursor.whole32();
    for (std::uint32_t i = 0; i < count; ++i) {
      read_object(cursor);
    }
  }

  void read_object(Cursor& cursor) {
    const std::string path = cursor.text();
    const auto [entry, fresh] = places_.try_emplace(path, objects_.size());
    if (fresh) {
      require_memory(sizeof(Object) + sizeof(Index) + 2 * path.size());
      objects_.push_back({.names = names_in(path, cursor)});
      indices_.emplace_back();
      is_active_.push_back(false);
    }
    const std::size_t place = entry->second;
    const std::uint32_t length = cursor.whole32();
    if (length == 0x1269 || length == 0x1369) {
      cursor.fail("holds raw data of DAQmx, which cannot be read; save scaled data");
    }
    if (length != kNoRawData) {
      if (length != kAsBefore) read_index(cursor, place);
      if (!is_active_[place]) active_.push_back(place);
      is_active_[place] = true;
    }
    const std::uint32_t properties = cursor.whole32();
    for (std::uint32_t i = 0; i < properties; ++i) {
      read_property(cursor, objects_[place]);
    }
  }

  void read_index(Cursor& cursor, std::size_t place) {
    Object& object = objects_[place];
    Index index{.type = static_cast<Type>(cursor.whole32())};
    const std::uint32_t dimension = cursor.whole32();
    index.count = cursor.whole(8);
    index.bytes = index.type == Type::Text ? cursor.whole(8) : index.count * size_of(index.type);
    if (dimension != 1 || index.count > kMostValues) cursor.fail("the size of a channel cannot be");
    if (index.type != Type::Text && size_of(index.type) == 0) {
      cursor.fail(fmt::format("channel {} has values of type 0x{:x}, which cannot be read",
                              excerpt(object.names.empty() ? "" : object.names.back()),
                              static_cast<std::uint32_t>(index.type)));
    }
    if (!object.pieces.empty() && object.type != index.type) {
      cursor.fail("a channel changes its type, which cannot be");
    }
    object.type = index.type;
    indices_[place] = index;
  }

  void read_property(Cursor& cursor, Object& object) {
    const std::string name = cursor.text();
    require_memory(kProperty + name.size());
    const auto type = static_cast<Type>(cursor.whole32());
    if (type == Type::Text) {
      object.texts[name] = cursor.text();
    } else if (size_of(type) > 0) {
      object.numbers[name] = cursor.value(type);
    } else {
      cursor.fail(fmt::format("property {} is of type 0x{:x}, which cannot be read", excerpt(name),
                              static_cast<std::uint32_t>(type)));
    }
  }

  // The chunks of a segment hold the numbers of its active objects one object after the other, or,
  // interleaved, one number of each in turn.
  void place_raw_data(std::uintmax_t begin, std::uintmax_t bytes, std::uint64_t contents) {
    const bool interleaved = (contents & kInterleaved) != 0;
    require_work(active_.size());
    std::uint64_t chunk = 0;
    std::uint64_t row = 0;
    for (const std::size_t place : active_) {
      const Index& index = indices_[place];
      if (index.bytes > bytes - std::min<std::uint64_t>(chunk, bytes)) {
        fail(begin, "channels are longer than their segment (cut off?)");
      }
      if (interleaved && index.count != indices_[active_.front()].count) {
        fail(begin, "interleaved channels have different lengths");
      }
      chunk += index.bytes;
      row += size_of(index.type);
    }
    if (chunk == 0) return;
    std::uintmax_t offset = 0;
    for (const std::size_t place : active_) {
      const Index& index = indices_[place];
      const std::size_t size = size_of(index.type);
      if (size > 0 && index.count > 0) {
        require_memory(sizeof(Piece));
        objects_[place].pieces.push_back({.begin = begin + offset,
                                          .count = index.count,
                                          .stride = interleaved ? row : size,
                                          .chunks = bytes / chunk,
                                          .chunk = chunk,
                                          .big_endian = (contents & kBigEndian) != 0});
      }
      offset += interleaved ? size : index.bytes;
    }
  }

  [[noreturn]] void fail(std::uintmax_t at, const std::string& reason) const {
    throw DataError({.file = place_.file, .byte = static_cast<long long>(at)}, reason);
  }

  // A byte of the file can stand for a piece of numbers, which takes fifty here.
  void require_memory(std::uintmax_t bytes) {
    memory_ += bytes;
    if (memory_ <= limit_) return;  // millions of times
    require_room(place_.file, "the list of channels and segments", memory_, 1, 1, limits_);
  }

  // Channels with numbers take a byte of each segment. Others could be gone through in every one
  // of a million segments.
  void require_work(std::uintmax_t steps) {
    work_ += steps;
    if (work_ > kMostIdleWork + content_.size()) {
      throw DataError(place_, "has too many segments for its channels (broken file?)");
    }
  }

  std::string_view content_;
  const Place& place_;
  const ReadLimits& limits_;
  std::uintmax_t limit_;       // bytes
  std::uintmax_t memory_ = 0;  // bytes that objects, properties and pieces take, about
  std::uintmax_t work_ = 0;    // channels gone through in all segments
  std::vector<Object> objects_;
  std::vector<Index> indices_;  // of each object, the last one given
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::size_t> active_;  // objects with raw data, in the order of the chunks
  std::vector<bool> is_active_;      // of each object
};

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::Int8:
    case Type::Uint8:
    case Type::Boolean:
      return 1;
    case Type::Int16:
    case Type::Uint16:
      return 2;
    case Type::Int32:
    case Type::Uint32:
    case Type::Single:
    case Type::SingleWithUnit:
      return 4;
    case Type::Int64:
    case Type::Uint64:
    case Type::Double:
    case Type::DoubleWithUnit:
      return 8;
    case Type::TimeStamp:
      return 16;
    default:
      return 0;
  }
}

std::uintmax_t Object::count() const {
  std::uintmax_t total = 0;
  for (const Piece& piece : pieces) {
    total += piece.count * piece.chunks;
  }
  return total;
}

std::optional<double> Object::number(const std::string& property) const {
  const auto found = numbers.find(property);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Object> read_objects(std::string_view content, const Place& place,
                                 const ReadLimits& limits) {
  if (content.empty()) {
    throw DataError(place, "is empty");
  }
  return Reader(content, place, limits).read();
}

}  // namespace alembert::io::tdms
