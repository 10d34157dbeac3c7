#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/mesh.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/mesh/mesh_numbers.hpp"

namespace alembert::io {
namespace {

using model::CellKind;

/// A type of element of Gmsh: number, dimension, nodes, and what it is here.
struct GmshType {
  int number;
  int dimension;
  std::size_t nodes;
  std::optional<CellKind> kind;
  const char* words;
};

const GmshType* type_of(long long number) {
  static const std::vector<GmshType> types = {
      {15, 0, 1, {}, "point"},
      {1, 1, 2, {}, "line with 2 nodes"},
      {8, 1, 3, {}, "line with 3 nodes"},
      {2, 2, 3, {}, "triangle with 3 nodes"},
      {9, 2, 6, {}, "triangle with 6 nodes"},
      {3, 2, 4, CellKind::Quad4, "quadrilateral with 4 nodes"},
      {16, 2, 8, {}, "quadrilateral with 8 nodes"},
      {10, 2, 9, {}, "quadrilateral with 9 nodes"},
      {4, 3, 4, CellKind::Tet4, "tetrahedron with 4 nodes"},
      {11, 3, 10, CellKind::Tet10, "tetrahedron with 10 nodes"},
      {5, 3, 8, CellKind::Hex8, "brick with 8 nodes"},
      {17, 3, 20, {}, "brick with 20 nodes"},
      {6, 3, 6, {}, "prism with 6 nodes"},
      {7, 3, 5, {}, "pyramid with 5 nodes"}};
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const GmshType& one) { return one.number == number; });
  return found == types.end() ? nullptr : &*found;
}

struct GmshElement {
  const GmshType* type = nullptr;
  long long number = 0;
  std::vector<long long> groups;  // physical
  std::vector<long long> nodes;
};

class GmshReader {
 public:
  GmshReader(std::string_view content, const std::string& file) : lines_(content, file) {}

  model::Mesh read() {
    while (const auto line = lines_.next()) {
      const std::string_view mark = trimmed(*line);
      if (mark == "$MeshFormat") read_format();
      if (mark == "$PhysicalNames") read_names();
      if (mark == "$Entities") read_entities();
      if (mark == "$Nodes") version_ < 4.0 ? read_nodes_2() : read_nodes_4();
      if (mark == "$Elements") version_ < 4.0 ? read_elements_2() : read_elements_4();
    }
    if (version_ == 0.0) {
      throw DataError({.file = lines_.file(), .line = 1},
                      "is no Gmsh mesh: $MeshFormat does not stand in it");
    }
    return finished();
  }

 private:
  // The words of the next line that holds something.
  std::vector<std::string_view> words() {
    while (const auto line = lines_.next()) {
      std::vector<std::string_view> found;
      std::string_view rest = *line;
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        found.push_back(word);
      }
      if (!found.empty()) return found;
    }
    throw DataError({.file = lines_.file()}, "ends in the middle of a section");
  }

  std::vector<long long> numbers(std::size_t least) {
    std::vector<long long> found;
    for (const std::string_view word : words()) found.push_back(whole_number(word, lines_));
    if (found.size() < least) lines_.fail(fmt::format("must have {} numbers or more", least));
    return found;
  }

  // A count of things that each take a line, or two bytes at least.
  long long count(long long value) {
    if (value < 0 || value > static_cast<long long>(lines_.bytes_left()) / 2 + 1) {
      lines_.fail(fmt::format("announces {} lines, more than the file has", value));
    }
    return value;
  }

  void read_format() {
    const auto found = words();
    if (found.size() < 2) lines_.fail("must have a version and a form");
    version_ = finite_number(found[0], lines_);
    if (found[1] != "0") {
      lines_.fail("is binary; save it as text (Mesh.Binary = 0, or gmsh -bin 0)");
    }
    if (version_ != 2.2 && version_ != 4.1) {
      lines_.fail(
          fmt::format("has format {}; save it as 4.1 or 2.2 (Mesh.MshFileVersion)", found[0]));
    }
  }

  // dimension number "name"
  void read_names() {
    const long long all = count(numbers(1)[0]);
    for (long long i = 0; i < all; ++i) {
      const auto found = words();
      if (found.size() < 3) lines_.fail("must have dimension, number and name");
      const char* begin = found[2].data();
      const char* end = found.back().data() + found.back().size();
      std::string name(begin, end);
      std::erase(name, '"');
      names_[{whole_number(found[0], lines_), whole_number(found[1], lines_)}] = name;
    }
  }

  // 4.1: the physical groups of points, curves, surfaces and volumes.
  void read_entities() {
    const std::vector<long long> counts = numbers(4);
    for (int dimension = 0; dimension < 4; ++dimension) {
      const long long all = count(counts[static_cast<std::size_t>(dimension)]);
      const std::size_t skipped = dimension == 0 ? 4 : 7;  // tag, then a point or a box
      for (long long i = 0; i < all; ++i) {
        const auto found = words();
        if (found.size() <= skipped) lines_.fail("ends before the number of physical groups");
        const long long groups = whole_number(found[skipped], lines_);
        if (groups < 0 || static_cast<std::size_t>(groups) > found.size() - skipped - 1) {
          lines_.fail("has fewer physical groups than announced");
        }
        std::vector<long long>& entity = entities_[{dimension, whole_number(found[0], lines_)}];
        for (long long g = 0; g < groups; ++g) {
          entity.push_back(whole_number(found[skipped + 1 + static_cast<std::size_t>(g)], lines_));
        }
      }
    }
  }

  Eigen::Vector3d place_of(const std::vector<std::string_view>& found, std::size_t from) {
    if (found.size() < from + 3) lines_.fail("must have x, y and z");
    return {finite_number(found[from], lines_), finite_number(found[from + 1], lines_),
            finite_number(found[from + 2], lines_)};
  }

  void read_nodes_2() {
    const long long all = count(numbers(1)[0]);
    for (long long i = 0; i < all; ++i) {
      const auto found = words();
      mesh_.add_node(whole_number(found[0], lines_), place_of(found, 1), lines_);
    }
  }

  void read_nodes_4() {
    const long long blocks = count(numbers(4)[0]);
    for (long long b = 0; b < blocks; ++b) {
      const long long all = count(numbers(4)[3]);
      std::vector<long long> tags;
      for (long long i = 0; i < all; ++i) tags.push_back(numbers(1)[0]);
      for (const long long tag : tags) mesh_.add_node(tag, place_of(words(), 0), lines_);
    }
  }

  const GmshType* known_type(long long number) {
    const GmshType* type = type_of(number);
    if (type == nullptr) {
      lines_.fail(fmt::format("has elements of type {}, not known here", number));
    }
    return type;
  }

  void keep_element(const GmshType* type, long long number, std::vector<long long> groups,
                    const std::vector<long long>& found, std::size_t from) {
    if (found.size() != from + type->nodes) {
      lines_.fail(fmt::format("a {} must have {} nodes", type->words, type->nodes));
    }
    elements_.push_back({type,
                         number,
                         std::move(groups),
                         {found.begin() + static_cast<std::ptrdiff_t>(from), found.end()}});
  }

  // number type tags physical elementary ... nodes
  void read_elements_2() {
    const long long all = count(numbers(1)[0]);
    for (long long i = 0; i < all; ++i) {
      const std::vector<long long> found = numbers(3);
      const GmshType* type = known_type(found[1]);
      const long long tags = found[2];
      if (tags < 0 || tags > static_cast<long long>(found.size()) - 3) {
        lines_.fail("has fewer tags than announced");
      }
      std::vector<long long> groups;
      if (tags > 0 && found[3] != 0) groups.push_back(found[3]);
      keep_element(type, found[0], std::move(groups), found, 3 + static_cast<std::size_t>(tags));
    }
  }

  void read_elements_4() {
    const long long blocks = count(numbers(4)[0]);
    for (long long b = 0; b < blocks; ++b) {
      const std::vector<long long> head = numbers(4);
      const GmshType* type = known_type(head[2]);
      const auto entity = entities_.find({head[0], head[1]});
      const std::vector<long long> groups =
          entity == entities_.end() ? std::vector<long long>{} : entity->second;
      const long long all = count(head[3]);
      for (long long i = 0; i < all; ++i) {
        const std::vector<long long> found = numbers(2);
        keep_element(type, found[0], groups, found, 1);
      }
    }
  }

  // The structure is what has the highest dimension; all groups are sets of nodes.
  model::Mesh finished() {
    int highest = 0;
    for (const GmshElement& one : elements_) highest = std::max(highest, one.type->dimension);
    for (GmshElement& one : elements_) {
      for (const long long group : one.groups) {
        const auto name = names_.find({one.type->dimension, group});
        const std::string set = name != names_.end() ? name->second : std::to_string(group);
        for (const long long node : one.nodes) mesh_.add_to_set(set, node);
      }
      if (one.type->dimension < highest) continue;
      if (!one.type->kind) {
        throw DataError(
            {.file = lines_.file()},
            fmt::format("element {} is a {}, which is not read: quadrilaterals with 4 nodes, "
                        "bricks with 8 and tetrahedra with 4 or 10 are",
                        one.number, one.type->words));
      }
      // Gmsh has the middles of the edges 3-4 and 2-4 the other way round.
      if (*one.type->kind == CellKind::Tet10) std::swap(one.nodes[8], one.nodes[9]);
      mesh_.add_cell(*one.type->kind, one.number, std::move(one.nodes));
    }
    return mesh_.finished(lines_.file());
  }

  TextLines lines_;
  double version_ = 0.0;
  MeshCollector mesh_;
  std::map<std::pair<long long, long long>, std::string> names_;                // dimension, group
  std::map<std::pair<long long, long long>, std::vector<long long>> entities_;  // dimension, tag
  std::vector<GmshElement> elements_;
};

}  // namespace

model::Mesh parse_gmsh(std::string_view content, const std::string& file) {
  return GmshReader(content, file).read();
}

model::Mesh read_gmsh(const std::filesystem::path& file, const ReadLimits& limits) {
  return read_within_memory(file,
                            [&] { return parse_gmsh(read_content(file, limits), file.string()); });
}

}  // namespace alembert::io
