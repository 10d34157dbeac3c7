#include "study/tasks/modes/read_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "alembert/io/uff_geometry.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using identify::SensorPlace;
using identify::ShapeGeometry;

constexpr std::size_t kMostNamed = 8;

std::vector<std::string> geometry_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<Vector3d> axis_named(std::string_view name) {
  double sign = 1.0;
  if (!name.empty() && (name.front() == '+' || name.front() == '-')) {
    sign = name.front() == '-' ? -1.0 : 1.0;
    name.remove_prefix(1);
  }
  for (int k = 0; k < 3; ++k) {
    if (name == std::string_view("xyz").substr(static_cast<std::size_t>(k), 1) ||
        name == std::string_view("XYZ").substr(static_cast<std::size_t>(k), 1)) {
      return sign * Vector3d::Unit(k);
    }
  }
  return std::nullopt;
}

std::optional<double> whole_number(const std::string& word) {
  std::istringstream stream(word);
  double value = 0.0;
  if (!(stream >> value) || !stream.eof() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Three numbers that are not all zero.
std::optional<Vector3d> skew_direction(const std::vector<std::string>& words) {
  Vector3d direction;
  for (int k = 0; k < 3; ++k) {
    const std::optional<double> value = whole_number(words[static_cast<std::size_t>(k) + 1]);
    if (!value) return std::nullopt;
    direction(k) = *value;
  }
  if (!(direction.norm() > 0.0)) return std::nullopt;
  return direction.normalized();
}

// The first names of a list, with how many more there are.
std::string some_names(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNamed);
  std::string text =
      join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ");
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

class GeometryReader {
 public:
  GeometryReader(const TableReader& table, const FileContext& files, ModesStudy& study)
      : table_(table), files_(files), study_(study) {}

  void read() {
    if (table_.has("file")) {
      read_file();
    } else if (table_.form("nodes") == kText) {
      read_node_rows();
    } else {
      read_nodes();
    }
    read_polygons("lines", 2, geometry_.lines);
    read_polygons("surfaces", 3, geometry_.surfaces);
    read_polygons("rigid", 2, geometry_.rigid);
    check_rigid();
    read_sensors();
    name_gaps();
    study_.geometry = ModesGeometry{std::move(geometry_), std::move(sensors_)};
  }

 private:
  void add_node(const std::string& name, const Vector3d& position) {
    places_.emplace(name, static_cast<Index>(geometry_.nodes.size()));
    geometry_.nodes.push_back(name);
    geometry_.positions.conservativeResize(static_cast<Index>(geometry_.nodes.size()), 3);
    geometry_.positions.bottomRows<1>() = position.transpose();
  }

  void read_file() {
    const io::UffGeometry found = io::read_uff_geometry(files_.find(table_, "file"), files_.limits);
    std::vector<std::string> turned;
    geometry_.positions.resize(static_cast<Index>(found.nodes.size()), 3);
    for (const io::UffNode& node : found.nodes) {
      const std::string name = std::to_string(node.label);
      const auto row = static_cast<Index>(geometry_.nodes.size());
      places_.emplace(name, row);
      geometry_.nodes.push_back(name);
      geometry_.positions.row(row) = node.position.transpose();
      if (node.displacement_system > 1) turned.push_back(name);
    }
    take_labels(found.lines, "line", geometry_.lines);
    take_labels(found.surfaces, "element", geometry_.surfaces);
    if (found.skipped_elements > 0) {
      study_.notes.push_back(fmt::format(
          "geometry: {} elements of kinds that have no drawing are left out of the picture",
          found.skipped_elements));
    }
    if (!turned.empty()) {
      study_.notes.push_back(fmt::format(
          "geometry: coordinate systems of their own, whose directions are drawn as global "
          "ones, have the nodes: {}",
          some_names(turned)));
    }
  }

  void take_labels(const std::vector<std::vector<long long>>& lists, const char* what,
                   std::vector<std::vector<Index>>& target) {
    for (const std::vector<long long>& list : lists) {
      std::vector<Index> rows;
      for (const long long label : list) {
        const auto found = places_.find(std::to_string(label));
        if (found == places_.end()) {
          throw DataError(table_.place("file"),
                          fmt::format("{}: a {} of the file names node {}, which has no place",
                                      table_.name("file"), what, label));
        }
        rows.push_back(found->second);
      }
      target.push_back(std::move(rows));
    }
  }

  void read_node_rows() {
    const Eigen::MatrixXd rows = io::read_matrix(files_.find(table_, "nodes"), {}, files_.limits);
    if (rows.cols() != 4) {
      table_.fail("nodes", fmt::format("must name a file with the four columns number, x, y and z, "
                                       "got one with {}",
                                       rows.cols()));
    }
    for (Index i = 0; i < rows.rows(); ++i) {
      const double number = rows(i, 0);
      if (!rows.row(i).allFinite() || number != std::round(number) || std::abs(number) > 1e15) {
        table_.fail("nodes", fmt::format("must have a whole number and three coordinates in each "
                                         "row, got {:.6g} in row {}",
                                         number, i + 1));
      }
      const std::string name = fmt::format("{:.0f}", number);
      if (places_.count(name) > 0) {
        table_.fail("nodes", fmt::format("must have each node once, got {} twice", name));
      }
      add_node(name, rows.row(i).tail<3>().transpose());
    }
  }

  void read_nodes() {
    const TableReader nodes = table_.table("nodes");
    for (const std::string& name : nodes.keys()) {
      if (geometry_words(name).size() != 1 || geometry_words(name).front() != name) {
        nodes.fail_at_key(
            name, fmt::format("{}: the name of a node must have no blanks", nodes.name(name)));
      }
      add_node(name, nodes.vector(name));
    }
    if (geometry_.nodes.empty()) table_.fail("nodes", "must hold at least one node");
  }

  [[nodiscard]] Index node_at(const TableReader& table, const std::string& key,
                              const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end()) {
      table.fail(key, fmt::format("names the node \"{}\", which has no place; there are {}", name,
                                  some_names(geometry_.nodes)));
    }
    return found->second;
  }

  void read_polygons(const char* key, std::size_t fewest,
                     std::vector<std::vector<Index>>& target) const {
    if (!table_.has(key)) return;
    for (const std::string& text : table_.texts(key)) {
      std::vector<Index> rows;
      for (const std::string& name : geometry_words(text)) {
        rows.push_back(node_at(table_, key, name));
      }
      if (rows.size() < fewest) {
        table_.fail(
            key, fmt::format("must have at least {} nodes in each text, got \"{}\"", fewest, text));
      }
      target.push_back(std::move(rows));
    }
  }

  void check_rigid() const {
    std::set<Index> used;
    for (const std::vector<Index>& group : geometry_.rigid) {
      for (const Index row : group) {
        if (used.insert(row).second) continue;
        table_.fail("rigid", fmt::format("must name each node once, got \"{}\" twice",
                                         geometry_.nodes[static_cast<std::size_t>(row)]));
      }
    }
  }

  void read_sensors() {
    const TableReader sensors = table_.table("sensors");
    std::set<std::string> used;
    for (const ColumnUse& output : study_.outputs) {
      used.insert(output.name);
      sensors_.push_back(sensors.has(output.name) ? place_of(sensors, output.name)
                                                  : place_by_name(output.name));
    }
    for (const std::string& name : sensors.keys()) {
      if (used.count(name) > 0) continue;
      std::vector<std::string> known(used.begin(), used.end());
      sensors.fail_at_key(name, fmt::format("{}: there is no response \"{}\"; there are {}",
                                            sensors.name(name), name, some_names(known)));
    }
  }

  SensorPlace place_of(const TableReader& sensors, const std::string& key) const {
    const std::string text = sensors.text(key);
    const std::vector<std::string> words = geometry_words(text);
    std::optional<Vector3d> direction;
    if (words.size() == 2) direction = axis_named(words[1]);
    if (words.size() == 4) direction = skew_direction(words);
    if (!direction) {
      sensors.fail(key, fmt::format("must be a node and a direction such as \"3 +x\" or \"3 0.6 "
                                    "0.8 0\", got \"{}\"",
                                    text));
    }
    return {.node = node_at(sensors, key, words[0]), .direction = *direction};
  }

  // "12:+X", as universal files name their degrees of freedom.
  [[nodiscard]] SensorPlace place_by_name(const std::string& name) const {
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos) return {};
    const auto found = places_.find(name.substr(0, colon));
    const std::optional<Vector3d> direction = axis_named(name.substr(colon + 1));
    if (found == places_.end() || !direction) return {};
    return {.node = found->second, .direction = *direction};
  }

  // Sensors without a place and nodes without a sensor.
  void name_gaps() const {
    std::vector<std::string> lost;
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      if (sensors_[i].node < 0) lost.push_back(study_.outputs[i].name);
    }
    if (lost.size() == sensors_.size()) {
      table_.fail_at_key(
          table_.has("sensors") ? "sensors"
          : table_.has("file")  ? "file"
                                : "nodes",
          "geometry.sensors: no response has a place; name a node and a direction for each");
    }
    if (!lost.empty()) {
      study_.notes.push_back(fmt::format(
          "geometry: without a place, and left out of the moving shapes: {}", some_names(lost)));
    }
    std::vector<std::string> still;
    for (const Index row : identify::still_nodes(geometry_, sensors_)) {
      still.push_back(geometry_.nodes[static_cast<std::size_t>(row)]);
    }
    if (!still.empty()) {
      study_.notes.push_back(
          fmt::format("geometry: nodes without a sensor, which stand still in the picture: {}",
                      some_names(still)));
    }
  }

  const TableReader& table_;
  const FileContext& files_;
  ModesStudy& study_;
  ShapeGeometry geometry_;
  std::vector<SensorPlace> sensors_;
  std::map<std::string, Index> places_;
};

}  // namespace

void read_modes_geometry(const TableReader& geometry, const FileContext& files, ModesStudy& study) {
  GeometryReader(geometry, files, study).read();
}

}  // namespace alembert::study
