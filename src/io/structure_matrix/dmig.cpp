#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "alembert/core/text.hpp"
#include "io/mesh/mesh_numbers.hpp"
#include "io/structure_matrix/entries.hpp"

namespace alembert::io {
namespace {

/// A line of bulk data: its first field, and the fields behind it up to the tenth.
struct BulkLine {
  std::string_view first;
  std::vector<std::string_view> fields;
};

BulkLine bulk_line(std::string_view line) {
  constexpr std::size_t kField = 8;
  BulkLine found;
  const std::size_t comma = line.find(',');
  if (comma != std::string_view::npos) {
    found.first = trimmed(line.substr(0, comma));
    const std::size_t most = found.first.find('*') == std::string_view::npos ? 8 : 4;
    std::string_view rest = line.substr(comma);
    while (!rest.empty() && found.fields.size() < most) {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find(','), rest.size());
      found.fields.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    found.fields.resize(most);
    return found;
  }
  found.first = trimmed(line.substr(0, kField));
  const bool large = found.first.find('*') != std::string_view::npos;
  const std::size_t width = large ? 2 * kField : kField;
  for (std::size_t from = kField; from < 9 * kField; from += width) {
    found.fields.push_back(from < line.size() ? trimmed(line.substr(from, width))
                                              : std::string_view{});
  }
  return found;
}

bool is_continuation(std::string_view first) {
  return first.empty() || first.front() == '+' || first.front() == '*';
}

class DmigReader {
 public:
  DmigReader(std::string_view content, const std::string& file) : lines_(content, file) {}

  std::vector<StructureMatrix> read() {
    while (const auto line = lines_.next()) {
      if (trimmed(*line).empty() || line->front() == '$') continue;
      const BulkLine one = bulk_line(line->substr(0, std::min(line->size(), line->find('$'))));
      if (is_continuation(one.first)) {
        if (in_column_) read_entries(one.fields, 0);
        continue;
      }
      in_column_ = false;
      if (one.first == "DMIG" || one.first == "DMIG*") begin(one.fields);
    }
    std::vector<StructureMatrix> found;
    for (const auto& [name, matrix] : matrices_) {
      const Halves halves = matrix.symmetric ? Halves::MirroredMixed : Halves::AsStored;
      found.push_back(matrix.entries.matrix(name, halves, lines_));
    }
    if (found.empty()) {
      throw DataError({.file = lines_.file()}, "has no DMIG entries with a header");
    }
    return found;
  }

 private:
  struct Dmig {
    bool symmetric = false;
    LabelledEntries entries;
    std::set<std::pair<RowLabel, RowLabel>> seen;
  };

  void begin(const std::vector<std::string_view>& fields) {
    const std::string name(fields[0]);
    if (fields[1] == "0") return begin_matrix(name, fields);
    const auto matrix = matrices_.find(name);
    if (matrix == matrices_.end()) {
      lines_.fail(fmt::format("column of \"{}\" before its header (DMIG, {}, 0, ...)", name, name));
    }
    matrix_ = &matrix->second;
    column_ = label(fields[1], fields[2]);
    in_column_ = true;
    read_entries(fields, 4);
  }

  // NAME 0 IFO TIN TOUT; in fields of 16 columns TOUT stands in the next line.
  void begin_matrix(const std::string& name, const std::vector<std::string_view>& fields) {
    const long long form = whole_number(fields[2], lines_);
    const long long type = whole_number(fields[3], lines_);
    if (form != 1 && form != 6) {
      lines_.fail(
          fmt::format("\"{}\" must be square (1) or symmetric (6), got form {}", name, form));
    }
    if (type != 1 && type != 2) {
      lines_.fail(fmt::format("\"{}\" must be real (1 or 2), got type {}", name, type));
    }
    if (!matrices_.emplace(name, Dmig{.symmetric = form == 6, .entries = {}, .seen = {}}).second) {
      lines_.fail(fmt::format("\"{}\" has two headers", name));
    }
  }

  RowLabel label(std::string_view point, std::string_view component) {
    const long long direction = component.empty() ? 0 : whole_number(component, lines_);
    if (direction < 0 || direction > 6) {
      lines_.fail(fmt::format("components count from 1 (x) to 6 (rz), got {}", direction));
    }
    return {whole_number(point, lines_), static_cast<int>(direction)};
  }

  // Point, component, value and an imaginary part that must be empty, again and again.
  void read_entries(const std::vector<std::string_view>& fields, std::size_t from) {
    for (std::size_t i = from; i + 2 < fields.size(); i += 4) {
      if (fields[i].empty()) continue;
      const RowLabel row = label(fields[i], fields[i + 1]);
      if (!matrix_->seen.emplace(row, column_).second) {
        lines_.fail(
            fmt::format("the entry of points {} and {} stands twice", row.node, column_.node));
      }
      matrix_->entries.add(row, column_, fortran_number(fields[i + 2], lines_));
    }
  }

  TextLines lines_;
  std::map<std::string, Dmig> matrices_;
  Dmig* matrix_ = nullptr;
  RowLabel column_;
  bool in_column_ = false;
};

}  // namespace

std::vector<StructureMatrix> parse_dmig(std::string_view content, const std::string& file) {
  return DmigReader(content, file).read();
}

}  // namespace alembert::io
