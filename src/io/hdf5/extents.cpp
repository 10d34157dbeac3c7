#include "io/hdf5/extents.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/headers.hpp"

namespace alembert::io::hdf5 {

namespace {

// An object's header has at least so many bytes.
constexpr std::uint64_t kSmallestHeader = 16;

std::uint64_t user_block(const Handle& file) {
  const Handle list(H5Fget_create_plist(file.id()), H5Pclose);
  hsize_t bytes = 0;
  return list.valid() && H5Pget_userblock(list.id(), &bytes) >= 0 ? bytes : 0;
}

// Collects the bytes of all objects of a file.
class Survey {
 public:
  Survey(const Handle& file, const ByteSource& source)
      : file_(file), source_(source), bounds_(bounds_of(source, user_block(file))) {
    H5O_info_t root{};
    if (H5Oget_info2(file.id(), &root, H5O_INFO_BASIC) >= 0) file_number_ = root.fileno;
    extents_.push_back({bounds_.begin, bounds_.begin + bounds_.superblock, "the file's beginning"});
  }

  void add(const std::string& path) {
    const Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
    H5O_info_t info{};
    if (!object.valid() || H5Oget_info2(object.id(), &info, H5O_INFO_BASIC) < 0) return;
    if (file_number_ != info.fileno) return;  // objects of other files have addresses of their own
    const auto [known, first] = known_.emplace(info.addr, path);
    if (!first) {
      if (info.rc < 2 && info.type == H5O_TYPE_DATASET) {
        fail(path,
             fmt::format("is the same as {}, which has one name only", excerpt(known->second)));
      }
      return;
    }
    const bool data_set = H5Iget_type(object.id()) == H5I_DATASET;
    add_header(info.addr + bounds_.begin, path, data_set);
    if (data_set) add_numbers(object, path);
  }

  void check() {
    std::sort(extents_.begin(), extents_.end(),
              [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      const Extent& extent = extents_[k];
      if (extent.end > std::min<std::uint64_t>(bounds_.end, source_.size())) {
        fail(extent.path,
             fmt::format("reaches beyond the end of the file at byte {}", bounds_.end));
      }
      if (k > 0 && extent.begin < extents_[k - 1].end) refuse_shared(extents_[k - 1], extent);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& path, const std::string& reason) const {
    throw DataError({.file = source_.name()},
                    fmt::format("{}: {} (broken file?)", excerpt(path), reason));
  }

  [[noreturn]] void refuse_shared(const Extent& a, const Extent& b) const {
    throw DataError({.file = source_.name()},
                    fmt::format("{} and {} share bytes {} to {} (broken file?)", excerpt(a.path),
                                excerpt(b.path), b.begin, std::min(b.end, a.end)));
  }

  void add_header(std::uint64_t address, const std::string& path, bool data_set) {
    std::vector<Extent> pieces;
    if (bounds_.usual) pieces = check_header(source_, bounds_, address, path, data_set);
    if (pieces.empty()) pieces.push_back({address, address + kSmallestHeader, path});
    extents_.insert(extents_.end(), pieces.begin(), pieces.end());
  }

  // The numbers of a data set that lie in one piece.
  void add_numbers(const Handle& object, const std::string& path) {
    const Handle list(H5Dget_create_plist(object.id()), H5Pclose);
    if (!list.valid() || H5Pget_layout(list.id()) != H5D_CONTIGUOUS ||
        H5Pget_external_count(list.id()) != 0) {
      return;
    }
    const haddr_t begin = H5Dget_offset(object.id());
    const hsize_t bytes = H5Dget_storage_size(object.id());
    if (begin == HADDR_UNDEF || bytes == 0) return;
    check_length(object, path, bytes);
    extents_.push_back({begin, begin + bytes, path});
  }

  // Other types may have other lengths in the file than in memory.
  void check_length(const Handle& object, const std::string& path, hsize_t bytes) const {
    const Handle space(H5Dget_space(object.id()), H5Sclose);
    const Handle type(H5Dget_type(object.id()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.id());
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if ((kind == H5T_INTEGER || kind == H5T_FLOAT) &&
        static_cast<double>(count) * static_cast<double>(H5Tget_size(type.id())) !=
            static_cast<double>(bytes)) {
      fail(path, fmt::format("has {} bytes for {} numbers", bytes, count));
    }
  }

  const Handle& file_;
  const ByteSource& source_;
  Bounds bounds_;
  std::optional<unsigned long> file_number_;
  std::map<haddr_t, std::string> known_;  // an object may have several names
  std::vector<Extent> extents_;
};

}  // namespace

void check_extents(const Handle& file, const ByteSource& source,
                   const std::vector<std::string>& paths) {
  Survey survey(file, source);
  survey.add("/");
  for (const std::string& path : paths) survey.add(path);
  survey.check();
}

}  // namespace alembert::io::hdf5
