#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"

/// Zip archives as NumPy writes them: members that are stored or deflated, 64-bit sizes included.
namespace alembert::io::npy {

struct Member {
  std::string name;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  std::uint32_t checksum = 0;
  std::uintmax_t packed = 0;  ///< bytes in the archive
  std::uintmax_t size = 0;    ///< bytes unpacked
  std::uintmax_t header = 0;  ///< byte of its local header
};

/// Whether the bytes begin like a zip archive.
[[nodiscard]] bool begins_like_zip(std::string_view start);

/// The members of an archive, in the order of its directory. @throws DataError
[[nodiscard]] std::vector<Member> list_members(std::string_view archive, const Place& place);

/// The content of a member. @throws DataError if it is damaged, encrypted or too large.
[[nodiscard]] std::string unpack(std::string_view archive, const Member& member, const Place& place,
                                 const ReadLimits& limits);

/// An archive of members that are stored as they are, without times: the same content gives the
/// same bytes. @throws DataError if it would be larger than 4 GiB.
[[nodiscard]] std::string packed_archive(
    const std::vector<std::pair<std::string, std::string>>& members, const Place& place);

}  // namespace alembert::io::npy
