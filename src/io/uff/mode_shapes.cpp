#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numbers>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/io/uff_geometry.hpp"
#include "io/file/file_content.hpp"

namespace alembert::io {
namespace {

using Eigen::Index;
using Labels = std::vector<long long>;

constexpr const char* kWriteModes = "write_uff_modes";
constexpr int kThinShellTriangle = 91;
constexpr int kThinShellQuadrilateral = 94;
constexpr int kComplexEigenvalue = 3;
constexpr int kThreeTranslations = 2;
constexpr int kDisplacement = 8;
constexpr int kComplexValues = 5;
constexpr std::size_t kIdLine = 80;

void check_labels(const std::vector<Labels>& lists, const std::set<long long>& known,
                  const char* what) {
  for (const Labels& list : lists) {
    for (const long long label : list) {
      if (known.count(label) > 0) continue;
      throw InvalidInput({.function = kWriteModes,
                          .argument = what,
                          .rule = "must name nodes of the geometry",
                          .value = fmt::format("{}", label)});
    }
  }
}

void check_shapes(const UffGeometry& geometry, const std::vector<UffMode>& modes) {
  std::set<long long> known;
  for (const UffNode& node : geometry.nodes) known.insert(node.label);
  check_labels(geometry.lines, known, "geometry.lines");
  check_labels(geometry.surfaces, known, "geometry.surfaces");
  for (const UffMode& mode : modes) {
    if (mode.motion.rows() == static_cast<Index>(geometry.nodes.size()) &&
        mode.motion.cols() == 3 && mode.motion.allFinite()) {
      continue;
    }
    throw InvalidInput(
        {.function = kWriteModes,
         .argument = "modes",
         .rule = fmt::format("must have a finite motion of {} x 3", geometry.nodes.size()),
         .value = fmt::format("{} x {}", mode.motion.rows(), mode.motion.cols())});
  }
}

// One line of printable text of at most 80 letters.
std::string id_line(const std::string& text) {
  std::string line = text.substr(0, kIdLine);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 32; }, ' ');
  return line.empty() ? "NONE" : line;
}

class ModeFile {
 public:
  std::string text() && { return fmt::to_string(text_); }

  template <typename... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    text_.push_back('\n');
  }
  void open(int dataset) {
    line("{:>6}", -1);
    line("{:>6}", dataset);
  }
  void close() { line("{:>6}", -1); }

  // 8I10
  void labels(const Labels& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      fmt::format_to(std::back_inserter(text_), "{:>10}", list[i]);
      if (i % 8 == 7 || i + 1 == list.size()) text_.push_back('\n');
    }
  }

 private:
  fmt::memory_buffer text_;
};

// Dataset 2411: label, coordinate systems of place and directions (global), colour.
void write_nodes(const std::vector<UffNode>& nodes, ModeFile& file) {
  file.open(2411);
  for (const UffNode& node : nodes) {
    file.line("{:>10}{:>10}{:>10}{:>10}", node.label, 1, 1, 11);
    file.line("{:>25.16E}{:>25.16E}{:>25.16E}", node.position.x(), node.position.y(),
              node.position.z());
  }
  file.close();
}

void write_lines(const std::vector<Labels>& lines, ModeFile& file) {
  int number = 0;
  for (const Labels& line : lines) {
    file.open(82);
    file.line("{:>10}{:>10}{:>10}", ++number, line.size(), 7);
    file.line("trace line {}", number);
    file.labels(line);
    file.close();
  }
}

// Polygons with more corners than four as fans of triangles.
std::vector<Labels> shells(const std::vector<Labels>& surfaces) {
  std::vector<Labels> parts;
  for (const Labels& one : surfaces) {
    if (one.size() <= 4) {
      parts.push_back(one);
      continue;
    }
    for (std::size_t k = 2; k < one.size(); ++k) parts.push_back({one[0], one[k - 1], one[k]});
  }
  return parts;
}

void write_surfaces(const std::vector<Labels>& surfaces, ModeFile& file) {
  if (surfaces.empty()) return;
  file.open(2412);
  int number = 0;
  for (const Labels& shell : shells(surfaces)) {
    const int kind = shell.size() == 3 ? kThinShellTriangle : kThinShellQuadrilateral;
    file.line("{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}", ++number, kind, 1, 1, 7, shell.size());
    file.labels(shell);
  }
  file.close();
}

// Dataset 55: five ID lines; model, analysis, characteristic, data type, complex, values of a node;
// load case and mode number; eigenvalue with modal A and B; the nodes.
void write_mode(const std::vector<UffNode>& nodes, const UffMode& mode, int number,
                ModeFile& file) {
  file.open(55);
  file.line("{}", id_line(mode.id));
  for (int k = 0; k < 4; ++k) file.line("NONE");
  file.line("{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}", 1, kComplexEigenvalue, kThreeTranslations,
            kDisplacement, kComplexValues, 3);
  file.line("{:>10}{:>10}{:>10}{:>10}", 2, 6, 1, number);
  file.line("{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}", mode.pole.real(),
            mode.pole.imag(), 0.0, 0.0, 0.0, 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto row = static_cast<Index>(i);
    file.line("{:>10}", nodes[i].label);
    file.line("{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}{:>13.5E}", mode.motion(row, 0).real(),
              mode.motion(row, 0).imag(), mode.motion(row, 1).real(), mode.motion(row, 1).imag(),
              mode.motion(row, 2).real(), mode.motion(row, 2).imag());
  }
  file.close();
}

}  // namespace

void write_uff_modes(const std::filesystem::path& file, const UffGeometry& geometry,
                     const std::vector<UffMode>& modes) {
  check_shapes(geometry, modes);
  ModeFile content;
  write_nodes(geometry.nodes, content);
  write_lines(geometry.lines, content);
  write_surfaces(geometry.surfaces, content);
  int number = 0;
  for (const UffMode& mode : modes) write_mode(geometry.nodes, mode, ++number, content);
  write_content(file, std::move(content).text());
}

}  // namespace alembert::io
