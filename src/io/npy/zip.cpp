#include "io/npy/zip.hpp"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::npy {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04";
constexpr std::string_view kEntry = "PK\x01\x02";
constexpr std::string_view kEnd = "PK\x05\x06";
constexpr std::string_view kEnd64 = "PK\x06\x06";
constexpr std::string_view kLocator64 = "PK\x06\x07";
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uintmax_t kMostMembers = 100000;
constexpr std::uintmax_t kMostInflation = 1032;  // of deflate
constexpr std::uintmax_t k32 = 0xFFFFFFFFU;      // "see the 64-bit entry"

// Whole numbers of the archive, the lowest byte first; nothing is read beyond its end.
class Bytes {
 public:
  Bytes(std::string_view archive, const Place& place) : archive_(archive), place_(place) {}

  [[nodiscard]] std::uintmax_t whole(std::uintmax_t at, std::size_t size) const {
    const std::string_view part = bytes(at, size);
    std::uintmax_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(part[i]);
    }
    return value;
  }
  [[nodiscard]] std::string_view bytes(std::uintmax_t at, std::uintmax_t size) const {
    if (at > archive_.size() || size > archive_.size() - at) fail(at, "ends early");
    return archive_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }
  void expect(std::uintmax_t at, std::string_view mark) const {
    if (bytes(at, mark.size()) != mark) fail(at, "is broken");
  }
  [[noreturn]] void fail(std::uintmax_t at, const std::string& what) const {
    throw DataError({.file = place_.file, .byte = static_cast<long long>(at)},
                    fmt::format("the archive {} (broken file?)", what));
  }

 private:
  std::string_view archive_;
  const Place& place_;
};

struct Directory {
  std::uintmax_t begin = 0;
  std::uintmax_t count = 0;
};

Directory find_directory(std::string_view archive, const Bytes& bytes) {
  const std::size_t reach = std::min(archive.size(), kEndBytes + kLongestComment);
  const std::size_t found = archive.substr(archive.size() - reach).rfind(kEnd);
  if (found == std::string_view::npos) bytes.fail(archive.size(), "has no directory");
  const std::uintmax_t end = archive.size() - reach + found;
  Directory directory{bytes.whole(end + 16, 4), bytes.whole(end + 10, 2)};
  const bool has_locator =
      end >= kLocatorBytes && bytes.bytes(end - kLocatorBytes, 4) == kLocator64;
  if (has_locator) {
    const std::uintmax_t end64 = bytes.whole(end - kLocatorBytes + 8, 8);
    bytes.expect(end64, kEnd64);
    static_cast<void>(bytes.bytes(end64, kEnd64Bytes));
    directory = {bytes.whole(end64 + 48, 8), bytes.whole(end64 + 32, 8)};
  }
  if (directory.count > kMostMembers) bytes.fail(end, "lists too many members");
  return directory;
}

// Sizes and place that do not fit 32 bits stand in extra field 1, in this order.
void read_extra(const Bytes& bytes, std::uintmax_t at, std::uintmax_t length, Member& member) {
  const std::uintmax_t end = at + length;
  while (at + 4 <= end) {
    const std::uintmax_t id = bytes.whole(at, 2);
    const std::uintmax_t size = bytes.whole(at + 2, 2);
    std::uintmax_t from = at + 4;
    if (id == 1) {
      for (std::uintmax_t* value : {&member.size, &member.packed, &member.header}) {
        if (*value == k32 && from + 8 <= at + 4 + size) {
          *value = bytes.whole(from, 8);
          from += 8;
        }
      }
    }
    at += 4 + size;
  }
}

// Many entries for the same few bytes would unfold without end.
void require_apart(const std::vector<Member>& members, const Bytes& bytes) {
  std::vector<std::pair<std::uintmax_t, std::uintmax_t>> places;  // begin and packed bytes
  places.reserve(members.size());
  for (const Member& member : members) places.emplace_back(member.header, member.packed);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const auto [begin, packed] = places[i];
    const std::uintmax_t room = places[i + 1].first - begin;
    if (room < kLocalBytes || packed > room - kLocalBytes) {
      bytes.fail(places[i + 1].first, "has members that lie over each other");
    }
  }
}

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

std::string inflated(std::string_view packed, std::size_t size, const Place& place,
                     const std::string& name) {
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  std::string content(size, '\0');
  // Without a place for the size, all of it must be filled.
  const libdeflate_result result = libdeflate_deflate_decompress(
      decompressor.get(), packed.data(), packed.size(), content.data(), size, nullptr);
  if (result != LIBDEFLATE_SUCCESS) {
    throw DataError(place,
                    fmt::format("member {} cannot be unpacked (broken file?)", excerpt(name)));
  }
  return content;
}

void append(std::string& text, std::uintmax_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    text += static_cast<char>(value >> (8U * i) & 0xFFU);
  }
}

// What local header and directory say alike: version 2.0, UTF-8 names, stored, 1 January 1980.
void append_common(std::string& text, const std::string& name, const std::string& content) {
  append(text, 20, 2);
  append(text, 1U << 11U, 2);
  append(text, 0, 2);
  append(text, 0, 2);
  append(text, 0x21, 2);
  append(text, libdeflate_crc32(0, content.data(), content.size()), 4);
  append(text, content.size(), 4);
  append(text, content.size(), 4);
  append(text, name.size(), 2);
  append(text, 0, 2);
}

}  // namespace

bool begins_like_zip(std::string_view start) {
  return start.substr(0, kLocal.size()) == kLocal || start.substr(0, kEnd.size()) == kEnd;
}

std::vector<Member> list_members(std::string_view archive, const Place& place) {
  const Bytes bytes(archive, place);
  const Directory directory = find_directory(archive, bytes);
  std::vector<Member> members;
  std::uintmax_t at = directory.begin;
  for (std::uintmax_t i = 0; i < directory.count; ++i) {
    bytes.expect(at, kEntry);
    if ((bytes.whole(at + 8, 2) & 1U) != 0) bytes.fail(at, "is encrypted");
    Member member{.name = {},
                  .method = static_cast<std::uint16_t>(bytes.whole(at + 10, 2)),
                  .checksum = static_cast<std::uint32_t>(bytes.whole(at + 16, 4)),
                  .packed = bytes.whole(at + 20, 4),
                  .size = bytes.whole(at + 24, 4),
                  .header = bytes.whole(at + 42, 4)};
    const std::uintmax_t name = bytes.whole(at + 28, 2);
    const std::uintmax_t extra = bytes.whole(at + 30, 2);
    member.name = to_utf8(bytes.bytes(at + kEntryBytes, name));
    read_extra(bytes, at + kEntryBytes + name, extra, member);
    members.push_back(std::move(member));
    at += kEntryBytes + name + extra + bytes.whole(at + 32, 2);
  }
  require_apart(members, bytes);
  return members;
}

std::string unpack(std::string_view archive, const Member& member, const Place& place,
                   const ReadLimits& limits) {
  const Bytes bytes(archive, place);
  bytes.expect(member.header, kLocal);
  const std::uintmax_t begin = member.header + kLocalBytes + bytes.whole(member.header + 26, 2) +
                               bytes.whole(member.header + 28, 2);
  const std::string_view packed = bytes.bytes(begin, member.packed);
  const bool stored = member.method == 0;
  if (!stored && member.method != 8) {
    throw DataError(place, fmt::format("member {} is packed by method {}; stored and deflated "
                                       "members can be read",
                                       excerpt(member.name), member.method));
  }
  if (stored ? member.size != member.packed : member.size / kMostInflation > member.packed + 1) {
    bytes.fail(member.header, "says sizes that cannot be");
  }
  require_room(place.file, "a member", member.size, 1, 1, limits);
  std::string content =
      stored ? std::string(packed)
             : inflated(packed, static_cast<std::size_t>(member.size), place, member.name);
  if (libdeflate_crc32(0, content.data(), content.size()) != member.checksum) {
    throw DataError(place, fmt::format("the checksum of member {} is wrong (broken file?)",
                                       excerpt(member.name)));
  }
  return content;
}

std::string packed_archive(const std::vector<std::pair<std::string, std::string>>& members,
                           const Place& place) {
  std::string archive;
  std::string directory;
  for (const auto& [name, content] : members) {
    if (archive.size() + content.size() + directory.size() > k32 - kLongestComment * 2) {
      throw DataError(place, "would be larger than 4 GiB; write .h5");
    }
    directory += kEntry;
    append(directory, 20, 2);
    append_common(directory, name, content);
    append(directory, 0, 4);  // no comment, first disk
    append(directory, 0, 6);  // no attributes
    append(directory, archive.size(), 4);
    directory += name;
    archive += kLocal;
    append_common(archive, name, content);
    archive += name;
    archive += content;
  }
  const std::size_t begin = archive.size();
  archive += directory;
  archive += kEnd;
  append(archive, 0, 4);
  append(archive, members.size(), 2);
  append(archive, members.size(), 2);
  append(archive, directory.size(), 4);
  append(archive, begin, 4);
  append(archive, 0, 2);
  return archive;
}

}  // namespace alembert::io::npy
