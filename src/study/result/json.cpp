#include "study/result/json.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"

namespace alembert::study {

Json json_head(const std::string& task, const std::string& title) {
  Json json;
  json["format"] = "alembert-result-1";
  json["version"] = std::string(version());
  json["task"] = task;
  json["title"] = title;
  return json;
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers_json(const Eigen::Ref<const Eigen::VectorXd>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

Json rows_json(const Eigen::MatrixXd& matrix) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    list.push_back(numbers_json(matrix.row(i).transpose()));
  }
  return list;
}

Json to_json(const document::ResultTree& tree) {
  using Kind = document::ResultTree::Kind;
  switch (tree.kind()) {
    case Kind::Null:
      return nullptr;
    case Kind::Boolean:
      return tree.boolean();
    case Kind::Integer:
      return tree.integer();
    case Kind::Count:
      return tree.count();
    case Kind::Number:
      return json_number(tree.number());
    case Kind::Text:
      return tree.text();
    case Kind::Group:
    case Kind::List:
      break;
  }
  const bool is_list = tree.kind() == Kind::List;
  Json json = is_list ? Json::array() : Json::object();
  for (const document::ResultTree& entry : tree.entries()) {
    if (!entry.in_file()) continue;
    if (is_list) {
      json.push_back(to_json(entry));
    } else {
      json[entry.key()] = to_json(entry);
    }
  }
  return json;
}

document::ResultTree result_head(const std::string& task, const std::string& title) {
  document::ResultTree tree;
  tree.add("format", "alembert-result-1");
  tree.add("version", version());
  tree.add("task", task);
  tree.add("title", title);
  return tree;
}

void write_json(const Json& json, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary);
  // A title in a broken encoding must not cost the result.
  stream << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace alembert::study
