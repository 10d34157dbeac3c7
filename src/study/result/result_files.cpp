#include "alembert/study/detail/result_files.hpp"

#include <algorithm>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/io/detail/tree.hpp"
#include "alembert/io/matrix_market.hpp"
#include "study/result/csv_columns.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using io::TreeValue;
using Kind = ResultTree::Kind;

bool is_number(const ResultTree& item) {
  const Kind kind = item.kind();
  return kind == Kind::Integer || kind == Kind::Count || kind == Kind::Number;
}

// Numbers, where some may be unknown.
bool is_vector(const ResultTree& list) {
  const std::vector<ResultTree>& items = list.entries();
  return list.kind() == Kind::List && std::any_of(items.begin(), items.end(), is_number) &&
         std::all_of(items.begin(), items.end(),
                     [](const ResultTree& item) { return item.is_null() || is_number(item); });
}

bool is_matrix(const ResultTree& list) {
  const std::vector<ResultTree>& rows = list.entries();
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const ResultTree& row) {
    return is_vector(row) && row.entries().size() == rows.front().entries().size();
  });
}

Eigen::VectorXd vector_of(const ResultTree& list) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(list.entries().size()));
  Eigen::Index i = 0;
  for (const ResultTree& item : list.entries()) values(i++) = item.number();  // NaN for null
  return values;
}

Eigen::MatrixXd matrix_of(const ResultTree& list) {
  const std::vector<ResultTree>& rows = list.entries();
  Eigen::MatrixXd values(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(rows.front().entries().size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values.row(static_cast<Eigen::Index>(i)) = vector_of(rows[i]).transpose();
  }
  return values;
}

class TreeConversion {
 public:
  explicit TreeConversion(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] TreeValue::Group group(const ResultTree& tree) const {
    TreeValue::Group fields;
    for (const ResultTree& entry : tree.entries()) {
      if (entry.in_file()) fields.push_back({entry.key(), value(entry)});
    }
    add_columns(tree, fields);
    return fields;
  }

 private:
  [[nodiscard]] TreeValue value(const ResultTree& tree) const {
    TreeValue made = bare_value(tree);
    made.unit = tree.unit();
    return made;
  }

  [[nodiscard]] TreeValue bare_value(const ResultTree& tree) const {
    switch (tree.kind()) {
      case Kind::Null:
        return {};
      case Kind::Boolean:
        return {tree.boolean()};
      case Kind::Integer:
        return {tree.integer()};
      case Kind::Count:
        return {static_cast<std::int64_t>(tree.count())};
      case Kind::Number:
        return {tree.number()};
      case Kind::Text:
        return {tree.text()};
      case Kind::Group:
        return {group(tree)};
      case Kind::List:
        return list(tree);
    }
    return {};
  }

  [[nodiscard]] TreeValue list(const ResultTree& tree) const {
    if (tree.entries().empty()) return {Eigen::VectorXd()};
    if (is_vector(tree)) return {vector_of(tree)};
    if (is_matrix(tree)) return {matrix_of(tree)};
    TreeValue::List items;
    for (const ResultTree& item : tree.entries()) {
      if (item.in_file()) items.push_back(value(item));
    }
    return {std::move(items)};
  }

  // A matrix of identification that has a file of its own is there as `values`; the small matrices
  // of [reduce] are read from theirs.
  void add_columns(const ResultTree& tree, TreeValue::Group& fields) const {
    const ResultTree* file = tree.find("file");
    if (file == nullptr || file->kind() != Kind::Text || tree.find("values") != nullptr) return;
    const std::filesystem::path path = folder_ / file->text();
    if (!std::filesystem::exists(path)) return;
    if (path.extension() == ".mtx") {
      fields.push_back({"values", {io::read_matrix_market(path)}});
      return;
    }
    if (path.extension() != ".csv") return;
    ResultColumns found = result_columns(path);
    fields.push_back({"columns", {std::move(found.columns)}});
    fields.push_back({"units", {std::move(found.units)}});
  }

  std::filesystem::path folder_;
};

}  // namespace

std::optional<std::vector<ResultFile>> result_files(std::string_view list) {
  std::vector<ResultFile> files;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::optional<ResultFile> file = enum_named<ResultFile>(list.substr(0, comma));
    if (!file) return std::nullopt;
    if (std::find(files.begin(), files.end(), *file) == files.end()) files.push_back(*file);
    if (comma == list.size()) return files;
    list.remove_prefix(comma + 1);
  }
}

std::string file_name(ResultFile file) { return "result." + std::string(name_of(file)); }

std::string write_result_files(const ResultTree& result, const std::filesystem::path& folder,
                               const std::vector<ResultFile>& files) {
  if (files.empty()) return "";
  const TreeValue::Group tree = TreeConversion(folder).group(result);
  std::string left_out;
  for (const ResultFile file : files) {
    const std::filesystem::path path = folder / file_name(file);
    try {
      if (file == ResultFile::Mat) io::write_mat_tree(path, tree);
      if (file == ResultFile::Hdf5) io::write_hdf5_tree(path, tree);
    } catch (const InvalidInput& error) {
      left_out = file_name(file) + " is not written: " + error.reason();
    }
  }
  return left_out;
}

}  // namespace alembert::study
