#include "io/hdf5/extents.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::hdf5 {

namespace {

// An object's header has at least so many bytes.
constexpr std::uint64_t kSmallestHeader = 16;

// Bytes of the file that belong to one object.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string path = {};
};

std::uint64_t user_block(const Handle& file) {
  const Handle list(H5Fget_create_plist(file.id()), H5Pclose);
  hsize_t bytes = 0;
  return list.valid() && H5Pget_userblock(list.id(), &bytes) >= 0 ? bytes : 0;
}

// The numbers of a data set that lie in one piece.
void add_numbers(const Handle& object, const std::string& path, std::vector<Extent>& extents) {
  const Handle list(H5Dget_create_plist(object.id()), H5Pclose);
  if (!list.valid() || H5Pget_layout(list.id()) != H5D_CONTIGUOUS ||
      H5Pget_external_count(list.id()) != 0) {
    return;
  }
  const haddr_t begin = H5Dget_offset(object.id());
  const hsize_t bytes = H5Dget_storage_size(object.id());
  if (begin != HADDR_UNDEF && bytes > 0) extents.push_back({begin, begin + bytes, path});
}

std::vector<Extent> extents_of(const Handle& file, const std::vector<std::string>& paths) {
  std::vector<Extent> extents;
  std::set<std::pair<unsigned long, haddr_t>> known;  // an object may have several names
  const std::uint64_t shift = user_block(file);
  H5O_info_t root{};
  const bool found = H5Oget_info2(file.id(), &root, H5O_INFO_BASIC) >= 0;
  for (const std::string& path : paths) {
    const Handle object(H5Oopen(file.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
    H5O_info_t info{};
    if (!object.valid() || H5Oget_info2(object.id(), &info, H5O_INFO_BASIC) < 0) continue;
    // Objects of other files have addresses of their own.
    if (!found || info.fileno != root.fileno || !known.insert({info.fileno, info.addr}).second) {
      continue;
    }
    extents.push_back({info.addr + shift, info.addr + shift + kSmallestHeader, path});
    if (H5Iget_type(object.id()) == H5I_DATASET) add_numbers(object, path, extents);
  }
  return extents;
}

}  // namespace

void check_extents(const Handle& file, const std::string& name,
                   const std::vector<std::string>& paths) {
  std::vector<Extent> extents = extents_of(file, paths);
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  for (std::size_t k = 1; k < extents.size(); ++k) {
    if (extents[k].begin < extents[k - 1].end) {
      throw DataError({.file = name},
                      fmt::format("{} and {} share bytes {} to {} (broken file?)",
                                  excerpt(extents[k - 1].path), excerpt(extents[k].path),
                                  extents[k].begin, std::min(extents[k].end, extents[k - 1].end)));
    }
  }
}

}  // namespace alembert::io::hdf5
