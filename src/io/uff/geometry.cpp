#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/io/uff_geometry.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_lines.hpp"
#include "io/uff/fields.hpp"

namespace alembert::io {
namespace {

constexpr std::string_view kGeometryDelimiter = "    -1";
constexpr int kNodesSingle = 15;
constexpr int kNodesOld = 781;
constexpr int kNodes = 2411;
constexpr int kTraceLines = 82;
constexpr int kElements = 2412;
constexpr long long kMostLabels = 100'000'000;  // of one trace line or element

using Labels = std::vector<long long>;

bool is_geometry_delimiter(std::string_view line) {
  return line.substr(0, kGeometryDelimiter.size()) == kGeometryDelimiter &&
         trimmed(line.substr(kGeometryDelimiter.size())).empty();
}

// Rods and beams have a further line behind the first [SDRL-UFF, dataset 2412].
bool is_beam(int kind) { return kind == 11 || (kind >= 21 && kind <= 24); }

// Plane stress, plane strain, plates, membranes, axisymmetric solids and thin shells: the nodes go
// around the edge.
bool is_plane(int kind) { return kind >= 41 && kind <= 96; }

// Faces of linear solids, as places in their list of nodes.
std::vector<std::vector<std::size_t>> faces_of_solid(int kind) {
  switch (kind) {
    case 111:  // tetrahedron
      return {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    case 112:  // wedge
      return {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    case 115:  // brick
      return {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    default:
      return {};
  }
}

class GeometryParser {
 public:
  GeometryParser(std::string_view content, const std::string& file) : lines_(content, file) {}

  UffGeometry parse() {
    while (open_dataset()) read_dataset();
    if (geometry_.nodes.empty()) {
      throw DataError({.file = lines_.file()},
                      "holds no node (none of the datasets 15, 781 and 2411)");
    }
    return std::move(geometry_);
  }

 private:
  bool open_dataset() {
    while (const auto line = lines_.next()) {
      if (is_geometry_delimiter(*line)) return true;
      if (!trimmed(*line).empty()) {
        lines_.fail("not a universal file: expected a line with -1 in columns 5 and 6");
      }
    }
    return false;
  }

  std::string_view next_line(std::string_view what) {
    const auto line = lines_.next();
    if (!line) lines_.fail(fmt::format("the file ends before {}", what));
    return *line;
  }

  // The next line of an open dataset, or nothing at its end.
  std::optional<std::string_view> next_in_dataset() {
    const std::string_view line = next_line("the closing -1 of a dataset");
    if (is_geometry_delimiter(line)) return std::nullopt;
    return line;
  }

  void read_dataset() {
    FieldReader fields(next_line("the number of a dataset"), lines_);
    const int number = fields.small_integer(6, "dataset number");
    const std::string mark = fields.text(1);
    if (mark == "b" || mark == "B") {
      fields.skip(12);
      const long long text_lines = fields.integer(12, "number of text lines");
      return skip_binary(text_lines, fields.integer(12, "number of bytes"));
    }
    while (const auto line = next_in_dataset()) {
      if (number == kNodesSingle) read_single_node(*line);
      if (number == kNodes || number == kNodesOld) read_node(*line);
      if (number == kTraceLines) read_trace_line(*line);
      if (number == kElements) read_element(*line);
    }
  }

  void skip_binary(long long text_lines, long long bytes) {
    for (long long i = 0; i < text_lines; ++i) next_line("the end of a binary dataset");
    if (bytes < 0 || bytes > static_cast<long long>(lines_.bytes_left())) {
      lines_.fail(fmt::format("the file ends before the {} bytes of a dataset", bytes));
    }
    lines_.skip_to(lines_.position() + static_cast<std::size_t>(bytes));
    while (next_in_dataset()) {
    }
  }

  // 4I10,3E13.5
  void read_single_node(std::string_view line) {
    FieldReader fields(line, lines_);
    UffNode node = read_node_head(fields);
    for (double& x : node.position) x = fields.real(13, "coordinate");
    add(node);
  }

  // 4I10, then 3D25.16 on a line of its own
  void read_node(std::string_view line) {
    FieldReader fields(line, lines_);
    UffNode node = read_node_head(fields);
    FieldReader place(next_line("the coordinates of a node"), lines_);
    for (double& x : node.position) x = place.real(25, "coordinate");
    add(node);
  }

  static UffNode read_node_head(FieldReader& fields) {
    UffNode node;
    node.label = fields.integer(10, "node label");
    fields.skip(10);
    node.displacement_system = fields.integer(10, "displacement coordinate system");
    fields.skip(10);
    return node;
  }

  void add(const UffNode& node) {
    if (!node.position.allFinite()) {
      lines_.fail(fmt::format("node {} has coordinates that are not finite", node.label));
    }
    if (!known_.insert(node.label).second) {
      lines_.fail(fmt::format("node {} is there twice", node.label));
    }
    geometry_.nodes.push_back(node);
  }

  // 3I10 with the number of nodes second, an ID line, then 8I10; 0 lifts the pen.
  void read_trace_line(std::string_view line) {
    FieldReader fields(line, lines_);
    fields.skip(10);
    const long long count = fields.integer(10, "number of nodes of a trace line");
    next_line("the name of a trace line");
    Labels part;
    for (const long long label : read_labels(count)) {
      if (label != 0) {
        part.push_back(label);
        continue;
      }
      take_line(part);
    }
    take_line(part);
  }

  void take_line(Labels& part) {
    if (part.size() > 1) geometry_.lines.push_back(part);
    part.clear();
  }

  // 6I10: label, kind, two properties, colour, number of nodes
  void read_element(std::string_view line) {
    FieldReader fields(line, lines_);
    fields.skip(10);
    const int kind = fields.small_integer(10, "kind of an element");
    fields.skip(30);
    const long long count = fields.integer(10, "number of nodes of an element");
    if (is_beam(kind)) next_line("the second line of a beam");
    Labels labels = read_labels(count);
    if (is_beam(kind)) return take_line(labels);
    if (is_plane(kind) && labels.size() > 2) {
      geometry_.surfaces.push_back(std::move(labels));
      return;
    }
    take_solid(kind, labels);
  }

  void take_solid(int kind, const Labels& labels) {
    const auto faces = faces_of_solid(kind);
    const bool fits = std::all_of(faces.begin(), faces.end(), [&](const auto& face) {
      return *std::max_element(face.begin(), face.end()) < labels.size();
    });
    if (faces.empty() || !fits) {
      ++geometry_.skipped_elements;
      return;
    }
    for (const auto& face : faces) {
      Labels own;
      for (const std::size_t at : face) own.push_back(labels[at]);
      geometry_.surfaces.push_back(std::move(own));
    }
  }

  // 8I10 on as many lines as it takes
  Labels read_labels(long long count) {
    const auto room = static_cast<long long>(lines_.bytes_left());
    if (count < 0 || count > std::min(kMostLabels, room)) {
      lines_.fail(fmt::format("{} nodes are announced, more than the file has room for", count));
    }
    Labels labels;
    while (static_cast<long long>(labels.size()) < count) {
      const std::string_view line = next_line("the nodes of a line or an element");
      if (is_geometry_delimiter(line)) {
        lines_.fail(fmt::format("{} nodes are announced, only {} are there", count, labels.size()));
      }
      FieldReader fields(line, lines_);
      for (int k = 0; k < 8 && static_cast<long long>(labels.size()) < count; ++k) {
        labels.push_back(fields.integer(10, "node label"));
      }
    }
    return labels;
  }

  TextLines lines_;
  UffGeometry geometry_;
  std::set<long long> known_;
};

}  // namespace

UffGeometry parse_uff_geometry(std::string_view content, const std::string& file) {
  return GeometryParser(content, file).parse();
}

UffGeometry read_uff_geometry(const std::filesystem::path& file, const ReadLimits& limits) {
  return parse_uff_geometry(read_content(file, limits), file.string());
}

}  // namespace alembert::io
