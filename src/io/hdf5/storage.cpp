#include "io/hdf5/storage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::hdf5 {

namespace {

constexpr std::ptrdiff_t kDeepestGroup = 64;
constexpr std::size_t kMostLinks = 1'000'000;

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

// Chunks that a data set is made of, and those that are in the file.
void check_chunks(const Handle& data_set, const Handle& list, const std::string& name,
                  const std::string& path) {
  const Handle space(H5Dget_space(data_set.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1) return;
  std::vector<hsize_t> size(static_cast<std::size_t>(rank));
  std::vector<hsize_t> chunk(size.size());
  hsize_t stored = 0;
  if (H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) != rank ||
      H5Pget_chunk(list.id(), rank, chunk.data()) != rank ||
      H5Dget_num_chunks(data_set.id(), space.id(), &stored) < 0) {
    fail(name, path, "the list of its chunks cannot be read");
  }
  double needed = 1.0;
  for (std::size_t d = 0; d < size.size(); ++d) {
    const hsize_t side = std::max<hsize_t>(1, chunk[d]);
    const hsize_t chunks = size[d] / side + (size[d] % side > 0 ? 1 : 0);
    needed *= static_cast<double>(chunks);
  }
  if (static_cast<double>(stored) < needed) {
    throw DataError({.file = name},
                    fmt::format("{}: {} of {} chunks were never written (unfinished or broken "
                                "file?)",
                                excerpt(path), needed - static_cast<double>(stored), needed));
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

void check_storage(const std::filesystem::path& path, const std::string& name,
                   const ReadLimits& limits) {
  const Handle file = open_file(path, name);
  for (const std::string& link : link_paths(file, name, limits)) {
    const Handle object(H5Oopen(file.id(), link.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid()) fail(name, link, "cannot be opened");
    if (H5Iget_type(object.id()) == H5I_DATASET) check_place(object, name, link, limits);
  }
}

}  // namespace alembert::io::hdf5
