#include "io/hdf5/storage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/extents.hpp"

namespace alembert::io::hdf5 {

namespace {

constexpr std::ptrdiff_t kDeepestGroup = 64;
constexpr std::size_t kMostLinks = 1'000'000;
// The library goes through all chunks to find one: 0.2 s for so many, four times that for twice.
constexpr hsize_t kMostLookedUp = 4096;

struct Links {
  bool external = false;  // whether links to other files count
  std::vector<std::string> paths = {};
  std::string problem = {};
};

herr_t stop_visit(Links& links, const char* name, const char* problem) {
  links.problem = fmt::format("{}: {}", excerpt(name), problem);
  return 1;
}

// The library goes into a group only after this function has seen it.
herr_t collect_link(hid_t, const char* name, const H5L_info_t* info, void* data) noexcept {
  auto& links = *static_cast<Links*>(data);
  try {
    const std::string_view path(name);
    if (std::count(path.begin(), path.end(), '/') > kDeepestGroup) {
      return stop_visit(links, name, "groups lie too deep inside each other (broken file?)");
    }
    if (links.paths.size() >= kMostLinks) {
      return stop_visit(links, name, "is behind a million other objects");
    }
    if (info->type == H5L_TYPE_EXTERNAL && !links.external) {
      return stop_visit(links, name, "is a link to another file; allow that with external = true");
    }
    if (info->type == H5L_TYPE_SOFT && info->u.val_size < 2) {
      return stop_visit(links, name, "is a link to nothing (broken file?)");
    }
    if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_EXTERNAL) {
      links.paths.emplace_back(name);
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

[[noreturn]] void refuse_place(const std::string& name, const std::string& path,
                               const char* where) {
  throw DataError({.file = name},
                  fmt::format("{}: its numbers are in {}; allow that with external = true",
                              excerpt(path), where));
}

// How a data set is cut into chunks.
struct Chunks {
  std::vector<hsize_t> size;   // of the data set
  std::vector<hsize_t> chunk;  // of each of them
  hsize_t stored = 0;          // chunks in the file
  int filters = 0;

  [[nodiscard]] hsize_t along(std::size_t d) const {
    const hsize_t side = std::max<hsize_t>(1, chunk[d]);
    return size[d] / side + (size[d] % side > 0 ? 1 : 0);
  }
  // As a real number: a broken file may claim more than any integer holds.
  [[nodiscard]] double needed() const {
    double product = 1.0;
    for (std::size_t d = 0; d < size.size(); ++d) product *= static_cast<double>(along(d));
    return product;
  }
};

Chunks chunks_of(const Handle& data_set, const Handle& list, const std::string& name,
                 const std::string& path) {
  const Handle space(H5Dget_space(data_set.id()), H5Sclose);
  const int rank = std::max(0, H5Sget_simple_extent_ndims(space.id()));
  Chunks chunks{.size = std::vector<hsize_t>(static_cast<std::size_t>(rank)),
                .chunk = std::vector<hsize_t>(static_cast<std::size_t>(rank)),
                .filters = H5Pget_nfilters(list.id())};
  if (H5Sget_simple_extent_dims(space.id(), chunks.size.data(), nullptr) != rank ||
      H5Pget_chunk(list.id(), rank, chunks.chunk.data()) != rank ||
      H5Dget_num_chunks(data_set.id(), space.id(), &chunks.stored) < 0) {
    fail(name, path, "the list of its chunks cannot be read");
  }
  return chunks;
}

// A filter may be left out of a chunk that it could not make smaller; which then has its full size.
bool is_believable(unsigned left_out, hsize_t bytes, const Chunks& chunks, const Handle& data_set) {
  if (left_out == 0) return true;
  if (chunks.filters < 32 && (left_out >> static_cast<unsigned>(chunks.filters)) != 0) return false;
  const Handle type(H5Dget_type(data_set.id()), H5Tclose);
  hsize_t full = H5Tget_size(type.id());
  for (const hsize_t side : chunks.chunk) full *= side;
  return bytes >= full;
}

// The chunks at the places where there must be some. Others would be read by nobody.
hsize_t chunks_in_place(const Handle& data_set, const Chunks& chunks, const std::string& name,
                        const std::string& path) {
  hsize_t found = 0;
  std::vector<hsize_t> at(chunks.size.size(), 0);
  for (bool more = chunks.needed() > 0.0; more;) {
    std::vector<hsize_t> offset(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) offset[d] = at[d] * chunks.chunk[d];
    unsigned left_out = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(data_set.id(), offset.data(), &left_out, &address, &bytes) < 0 ||
        (address != HADDR_UNDEF && !is_believable(left_out, bytes, chunks, data_set))) {
      fail(name, path, "a chunk cannot be read (broken file?)");
    }
    // By the way that reading takes, which may miss what is listed.
    hsize_t read = 0;
    const bool is_read = H5Dget_chunk_storage_size(data_set.id(), offset.data(), &read) >= 0;
    found += address != HADDR_UNDEF && is_read && read == bytes ? 1 : 0;
    more = false;
    for (std::size_t d = at.size(); d-- > 0 && !more;) {
      more = ++at[d] < chunks.along(d);
      if (!more) at[d] = 0;
    }
  }
  return found;
}

// Chunks that a data set is made of, and those that are in the file.
void check_chunks(const Handle& data_set, const Handle& list, const std::string& name,
                  const std::string& path) {
  const Chunks chunks = chunks_of(data_set, list, name, path);
  if (chunks.size.empty()) return;
  if (static_cast<double>(chunks.stored) < chunks.needed()) {
    throw DataError(
        {.file = name},
        fmt::format("{}: {} of {} chunks were never written (unfinished or broken file?)",
                    excerpt(path), chunks.needed() - static_cast<double>(chunks.stored),
                    chunks.needed()));
  }
  if (chunks.stored > kMostLookedUp) return;
  const hsize_t found = chunks_in_place(data_set, chunks, name, path);
  if (found < chunks.stored) {
    throw DataError({.file = name},
                    fmt::format("{}: {} of {} chunks are out of place (broken "
                                "file?)",
                                excerpt(path), chunks.stored - found, chunks.stored));
  }
}

}  // namespace

std::vector<std::string> link_paths(const Handle& file, const std::string& name,
                                    const ReadLimits& limits) {
  Links links{.external = limits.external};
  const herr_t status = H5Lvisit(file.id(), H5_INDEX_NAME, H5_ITER_INC, collect_link, &links);
  if (!links.problem.empty()) throw DataError({.file = name}, links.problem);
  if (status < 0) fail(name, "", "the list of objects cannot be read");
  return std::move(links.paths);
}

void check_place(const Handle& data_set, const std::string& name, const std::string& path,
                 const ReadLimits& limits) {
  if (limits.external) return;
  const Handle list(H5Dget_create_plist(data_set.id()), H5Pclose);
  if (!list.valid()) fail(name, path, "how it is stored cannot be read");
  if (H5Pget_external_count(list.id()) != 0) refuse_place(name, path, "another file");
  if (H5Pget_layout(list.id()) == H5D_VIRTUAL) refuse_place(name, path, "other files");
}

void check_numbers(const Handle& data_set, const std::string& name, const std::string& path) {
  const Handle type(H5Dget_type(data_set.id()), H5Tclose);
  if (has_usual_form(type.id())) return;
  throw DataError({.file = name}, fmt::format("{}: holds numbers of an unknown form (broken file?)",
                                              excerpt(path)));
}

void check_written(const Handle& data_set, const std::string& name, const std::string& path) {
  const Handle list(H5Dget_create_plist(data_set.id()), H5Pclose);
  if (!list.valid()) fail(name, path, "how it is stored cannot be read");
  const H5D_layout_t layout = H5Pget_layout(list.id());
  if (layout == H5D_CHUNKED) return check_chunks(data_set, list, name, path);
  const Handle space(H5Dget_space(data_set.id()), H5Sclose);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(list.id()) == 0 &&
      H5Sget_simple_extent_npoints(space.id()) > 0 && H5Dget_offset(data_set.id()) == HADDR_UNDEF) {
    throw DataError({.file = name},
                    fmt::format("{}: its numbers were never written", excerpt(path)));
  }
}

void check_storage(const std::filesystem::path& path, const ByteSource& source,
                   const ReadLimits& limits) {
  const std::string& name = source.name();
  const Handle file = open_file(path, name);
  const std::vector<std::string> links = link_paths(file, name, limits);
  check_extents(file, source, links);
  for (const std::string& link : links) {
    const Handle object(H5Oopen(file.id(), link.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid()) fail(name, link, "cannot be opened");
    if (H5Iget_type(object.id()) != H5I_DATASET) continue;
    check_place(object, name, link, limits);
    check_numbers(object, name, link);
  }
}

}  // namespace alembert::io::hdf5
