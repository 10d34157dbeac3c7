#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/mesh.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/mesh/mesh_numbers.hpp"

namespace alembert::io {
namespace {

using model::CellKind;

std::string upper_case(std::string_view word) {
  std::string result(trimmed(word));
  for (char& letter : result) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return result;
}

std::vector<std::string_view> between_commas(std::string_view line) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = line.find(',');
    parts.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  while (!parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

/// *KEYWORD, NAME=VALUE, ...
struct Keyword {
  std::string name;
  std::map<std::string, std::string> values;

  [[nodiscard]] std::string value(const std::string& key) const {
    const auto found = values.find(key);
    return found == values.end() ? "" : found->second;
  }
};

Keyword keyword_of(std::string_view line) {
  Keyword found;
  for (const std::string_view part : between_commas(line.substr(1))) {
    if (found.name.empty()) {
      found.name = upper_case(part);
      continue;
    }
    const std::size_t sign = part.find('=');
    const std::string key = upper_case(part.substr(0, sign));
    found.values[key] =
        sign == std::string_view::npos ? "" : std::string(trimmed(part.substr(sign + 1)));
  }
  return found;
}

std::optional<CellKind> kind_of(const std::string& type) {
  const auto begins = [&](const char* start) { return type.rfind(start, 0) == 0; };
  if (begins("C3D10")) return CellKind::Tet10;
  if (begins("C3D8")) return CellKind::Hex8;
  if (type == "C3D4" || type == "C3D4H") return CellKind::Tet4;
  for (const char* plane : {"CPS4", "CPE4", "S4", "M3D4"}) {
    if (begins(plane)) return CellKind::Quad4;
  }
  return std::nullopt;
}

class AbaqusReader {
 public:
  AbaqusReader(std::string_view content, const std::string& file) : lines_(content, file) {}

  model::Mesh read() {
    while (const auto line = lines_.next()) {
      const std::string_view text = trimmed(*line);
      if (text.empty() || text.substr(0, 2) == "**") continue;
      if (text.front() == '*') {
        finish_element();
        begin(keyword_of(text));
      } else {
        data(text);
      }
    }
    finish_element();
    for (const auto& [set, elements] : element_sets_) {
      for (const long long element : elements) {
        const auto nodes = nodes_of_.find(element);
        if (nodes == nodes_of_.end()) continue;
        for (const long long node : nodes->second) mesh_.add_to_set(set, node);
      }
    }
    return mesh_.finished(lines_.file());
  }

 private:
  enum class Section { Other, Node, Element, NodeSet, ElementSet };

  void begin(Keyword keyword) {
    keyword_ = std::move(keyword);
    section_ = Section::Other;
    if (keyword_.name == "INCLUDE") {
      lines_.fail("*INCLUDE is not read: put the files together into one");
    }
    if (keyword_.name == "INSTANCE" && ++instances_ > 1) {
      lines_.fail("has several instances of parts; write it without parts (flat input)");
    }
    if (keyword_.name == "PART" && ++parts_ > 1) {
      lines_.fail("has several parts; write it without parts (flat input)");
    }
    if (keyword_.name == "NODE") section_ = Section::Node;
    if (keyword_.name == "NSET") section_ = Section::NodeSet;
    if (keyword_.name == "ELSET") section_ = Section::ElementSet;
    if (keyword_.name != "ELEMENT") return;
    section_ = Section::Element;
    const std::string type = upper_case(keyword_.value("TYPE"));
    kind_ = kind_of(type);
    if (!kind_) {
      lines_.fail(
          fmt::format("elements of type {} are not read: C3D8, C3D4, C3D10, CPS4 and CPE4 "
                      "and their like are",
                      type.empty() ? "(none given)" : type));
    }
  }

  void data(std::string_view text) {
    const std::vector<std::string_view> parts = between_commas(text);
    switch (section_) {
      case Section::Node:
        return read_node(parts);
      case Section::Element:
        return read_element(parts);
      case Section::NodeSet:
        return read_set(parts, keyword_.value("NSET"), true);
      case Section::ElementSet:
        return read_set(parts, keyword_.value("ELSET"), false);
      case Section::Other:
        return;
    }
  }

  void read_node(const std::vector<std::string_view>& parts) {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    if (parts.size() < 2) lines_.fail("a node must have a number and its coordinates");
    for (std::size_t d = 0; d < 3 && d + 1 < parts.size(); ++d) {
      place(static_cast<Eigen::Index>(d)) =
          parts[d + 1].empty() ? 0.0 : finite_number(parts[d + 1], lines_);
    }
    const long long number = whole_number(parts[0], lines_);
    mesh_.add_node(number, place, lines_);
    if (const std::string set = keyword_.value("NSET"); !set.empty()) mesh_.add_to_set(set, number);
  }

  // An element may go on over several lines.
  void read_element(const std::vector<std::string_view>& parts) {
    for (const std::string_view part : parts) pending_.push_back(whole_number(part, lines_));
    const auto wanted = static_cast<std::size_t>(model::node_count(*kind_)) + 1;
    if (pending_.size() > wanted) {
      lines_.fail(fmt::format("element {} must have {} nodes, got {}", pending_[0], wanted - 1,
                              pending_.size() - 1));
    }
    if (pending_.size() == wanted) finish_element();
  }

  void finish_element() {
    if (pending_.empty()) return;
    const auto wanted = static_cast<std::size_t>(model::node_count(*kind_)) + 1;
    if (pending_.size() != wanted) {
      lines_.fail(fmt::format("element {} must have {} nodes, got {}", pending_[0], wanted - 1,
                              pending_.size() - 1));
    }
    const std::vector<long long> nodes(pending_.begin() + 1, pending_.end());
    const auto [entry, fresh] = nodes_of_.emplace(pending_[0], nodes);
    if (!fresh) lines_.fail(fmt::format("element {} is there twice", pending_[0]));
    mesh_.add_cell(*kind_, pending_[0], nodes);
    if (const std::string set = keyword_.value("ELSET"); !set.empty()) {
      element_sets_[set].push_back(pending_[0]);
    }
    pending_.clear();
  }

  // Numbers, or first, last and step.
  void read_set(const std::vector<std::string_view>& parts, const std::string& name,
                bool of_nodes) {
    if (name.empty()) lines_.fail("the set must have a name");
    std::vector<long long> members;
    if (keyword_.values.contains("GENERATE")) {
      if (parts.size() < 2) lines_.fail("GENERATE must have first, last and step");
      const long long first = whole_number(parts[0], lines_);
      const long long last = whole_number(parts[1], lines_);
      const long long step = parts.size() > 2 ? whole_number(parts[2], lines_) : 1;
      constexpr long long kMost = 100'000'000;
      if (step < 1 || first < 0 || last < first || last > kMost) {
        lines_.fail("GENERATE must have first <= last and a positive step");
      }
      generate(name, of_nodes, first, last, step);
      return;
    }
    for (const std::string_view part : parts) {
      if (part.empty()) continue;
      if (part.find_first_not_of("0123456789") != std::string_view::npos) {
        lines_.fail(fmt::format("sets of sets are not read: '{}'", part));
      }
      add_member(name, of_nodes, whole_number(part, lines_));
    }
  }

  void generate(const std::string& name, bool of_nodes, long long first, long long last,
                long long step) {
    // A few lines must not fill the memory: all sets together, some times the file.
    generated_ += (last - first) / step + 1;
    const auto most = 10 * static_cast<long long>(lines_.content().size());
    if (generated_ > most) lines_.fail("GENERATE has far more numbers than the file");
    for (long long i = first; i <= last; i += step) add_member(name, of_nodes, i);
  }

  void add_member(const std::string& name, bool of_nodes, long long number) {
    if (of_nodes) {
      mesh_.add_to_set(name, number);
    } else {
      element_sets_[name].push_back(number);
    }
  }

  TextLines lines_;
  Keyword keyword_;
  Section section_ = Section::Other;
  std::optional<CellKind> kind_;
  std::vector<long long> pending_;
  MeshCollector mesh_;
  std::map<std::string, std::vector<long long>> element_sets_;
  std::map<long long, std::vector<long long>> nodes_of_;
  long long generated_ = 0;
  int parts_ = 0;
  int instances_ = 0;
};

}  // namespace

model::Mesh parse_abaqus_mesh(std::string_view content, const std::string& file) {
  return AbaqusReader(content, file).read();
}

model::Mesh read_abaqus_mesh(const std::filesystem::path& file, const ReadLimits& limits) {
  return read_within_memory(
      file, [&] { return parse_abaqus_mesh(read_content(file, limits), file.string()); });
}

}  // namespace alembert::io
