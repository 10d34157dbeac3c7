#include "alembert/document/result_tree.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::document {

ResultTree::ResultTree(const std::vector<std::string>& texts) : value_(List{}) {
  for (const std::string& text : texts) item(ResultTree(text));
}

ResultTree::ResultTree(const std::vector<double>& numbers) : value_(List{}) {
  for (const double number : numbers) item(ResultTree(number));
}

ResultTree::ResultTree(const Eigen::VectorXd& numbers) : value_(List{}) {
  for (const double number : numbers) item(ResultTree(number));
}

ResultTree::ResultTree(const Eigen::MatrixXd& rows) : value_(List{}) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Eigen::VectorXd row = rows.row(i);
    item(ResultTree(row));
  }
}

ResultTree ResultTree::empty_group() {
  ResultTree tree;
  tree.value_ = Group{};
  return tree;
}

ResultTree ResultTree::empty_list() {
  ResultTree tree;
  tree.value_ = List{};
  return tree;
}

ResultTree& ResultTree::insert(const std::string& key, ResultTree entry) {
  if (kind() == Kind::Null) value_ = Group{};
  if (kind() != Kind::Group) {
    throw InvalidInput(
        {.function = "ResultTree", .argument = key, .rule = "can only be added to a group"});
  }
  std::vector<ResultTree>& entries = std::get<Group>(value_).entries;
  entry.key_ = key;
  entries.push_back(std::move(entry));
  return entries.back();
}

ResultTree& ResultTree::item(ResultTree entry) {
  if (kind() == Kind::Null) value_ = List{};
  if (kind() != Kind::List) {
    throw InvalidInput({.function = "ResultTree", .rule = "only a list has items"});
  }
  std::vector<ResultTree>& entries = std::get<List>(value_).entries;
  entries.push_back(std::move(entry));
  return entries.back();
}

ResultTree& ResultTree::named(std::string label, std::string unit) {
  label_ = std::move(label);
  unit_ = std::move(unit);
  return *this;
}

ResultTree& ResultTree::in_words(std::string words) {
  words_ = std::move(words);
  return *this;
}

ResultTree& ResultTree::not_in_file() {
  in_file_ = false;
  return *this;
}

double ResultTree::number() const {
  switch (kind()) {
    case Kind::Number:
      return std::get<double>(value_);
    case Kind::Integer:
      return static_cast<double>(integer());
    case Kind::Count:
      return static_cast<double>(count());
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

const std::vector<ResultTree>& ResultTree::entries() const& {
  static const std::vector<ResultTree> none;
  if (const Group* group = std::get_if<Group>(&value_)) return group->entries;
  const List* list = std::get_if<List>(&value_);
  return list == nullptr ? none : list->entries;
}

const ResultTree* ResultTree::find(std::string_view path) const& {
  if (path.empty()) return this;
  const std::size_t end = path.find('/');
  const std::string_view key = path.substr(0, end);
  const std::string_view rest = end == std::string_view::npos ? "" : path.substr(end + 1);
  const bool is_list = kind() == Kind::List;
  for (std::size_t i = 0; i < entries().size(); ++i) {
    const ResultTree& entry = entries()[i];
    if ((is_list ? std::to_string(i) : entry.key_) == key) return entry.find(rest);
  }
  return nullptr;
}

const ResultTree& ResultTree::at(std::string_view path) const& {
  const ResultTree* found = find(path);
  if (found != nullptr) return *found;
  throw InvalidInput(
      {.function = "ResultTree", .argument = std::string(path), .rule = "is not in the result"});
}

namespace {

// A number, with its band or its standard deviation where the column has one.
std::string number_cell(const ResultTree& value, const ResultTree& row, const ResultColumn& column,
                        NumberText number_text) {
  if (!std::isfinite(value.number()) && !column.unknown.empty()) return column.unknown;
  const auto scaled = [&](const std::string& path) {
    const ResultTree* one = row.find(path);
    return column.factor * (one == nullptr ? std::nan("") : one->number());
  };
  if (!column.deviation.empty()) {
    return column.deviation_text(scaled(column.path), scaled(column.deviation));
  }
  const std::string middle = number_text(scaled(column.path), column.digits);
  if (column.lower.empty()) return middle;
  return fmt::format("{} ({}\u2013{})", middle,
                     number_text(scaled(column.lower), column.band_digits),
                     number_text(scaled(column.upper), column.band_digits));
}

std::string count_cell(const ResultTree& value, const ResultColumn& column) {
  const bool is_count = value.kind() == ResultTree::Kind::Count;
  if (column.count_text == nullptr) {
    return is_count ? std::to_string(value.count()) : std::to_string(value.integer());
  }
  return column.count_text(is_count ? static_cast<long long>(value.count())
                                    : static_cast<long long>(value.integer()));
}

}  // namespace

std::string cell_of(const ResultTree& row, const ResultColumn& column, NumberText number_text) {
  const ResultTree* value = row.find(column.path);
  if (value == nullptr) return column.missing;
  if (!value->words().empty()) return value->words();
  switch (value->kind()) {
    case ResultTree::Kind::Null:
    case ResultTree::Kind::Group:
    case ResultTree::Kind::List:
      return column.missing;
    case ResultTree::Kind::Text:
      return value->text();
    case ResultTree::Kind::Boolean:
      return value->boolean() ? "yes" : "no";
    case ResultTree::Kind::Integer:
    case ResultTree::Kind::Count:
      return count_cell(*value, column);
    default:
      break;
  }
  return number_cell(*value, row, column,
                     column.number_text == nullptr ? number_text : column.number_text);
}

std::vector<std::vector<std::string>> cells_of(const ResultTree& rows,
                                               const std::vector<ResultColumn>& columns,
                                               NumberText number_text) {
  std::vector<std::vector<std::string>> cells;
  for (const ResultTree& row : rows.entries()) {
    std::vector<std::string>& line = cells.emplace_back();
    for (const ResultColumn& column : columns) line.push_back(cell_of(row, column, number_text));
  }
  return cells;
}

std::vector<std::string> headings_of(const ResultTree& rows,
                                     const std::vector<ResultColumn>& columns) {
  std::vector<std::string> headings;
  for (const ResultColumn& column : columns) {
    const ResultTree* value =
        rows.entries().empty() ? nullptr : rows.entries().front().find(column.path);
    if (!column.heading.empty() || value == nullptr) {
      headings.push_back(column.heading.empty() ? column.path : column.heading);
      continue;
    }
    headings.push_back(value->unit().empty() ? value->label()
                                             : value->label() + " [" + value->unit() + "]");
  }
  return headings;
}

std::string plain_number(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

}  // namespace alembert::document
