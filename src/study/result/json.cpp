#include "study/result/json.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"

namespace alembert::study {
namespace {

// Keys keep the order in which they are set.
using Json = nlohmann::ordered_json;

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
      return std::isfinite(tree.number()) ? Json(tree.number()) : Json(nullptr);
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

}  // namespace

document::ResultTree result_head(const std::string& task, const std::string& title) {
  document::ResultTree tree;
  tree.add("format", kResultFormat);
  tree.add("version", version());
  tree.add("task", task);
  tree.add("title", title);
  return tree;
}

void write_result(const document::ResultTree& tree, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "result.json";
  std::ofstream stream(file, std::ios::binary);
  // A title in a broken encoding must not cost the result.
  stream << to_json(tree).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace alembert::study
