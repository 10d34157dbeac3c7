#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "alembert/document/result_tree.hpp"

namespace alembert::test {

/// Where a file and a tree part: "" if the JSON value has exactly what the tree has for files.
inline std::string difference(const nlohmann::json& json, const document::ResultTree& tree,
                              const std::string& path = "") {
  using Kind = document::ResultTree::Kind;
  const auto unless = [&](bool same) { return same ? std::string() : "other value at " + path; };
  switch (tree.kind()) {
    case Kind::Null:
      return unless(json.is_null());
    case Kind::Boolean:
      return unless(json == tree.boolean());
    case Kind::Integer:
      return unless(json == tree.integer());
    case Kind::Count:
      return unless(json == tree.count());
    case Kind::Number:
      return unless(std::isfinite(tree.number()) ? json == tree.number() : json.is_null());
    case Kind::Text:
      return unless(json == tree.text());
    case Kind::Group:
    case Kind::List:
      break;
  }
  if (tree.kind() == Kind::List ? !json.is_array() : !json.is_object()) return "other kind " + path;
  std::size_t count = 0;
  for (const document::ResultTree& entry : tree.entries()) {
    if (!entry.in_file()) continue;
    const std::string key = tree.kind() == Kind::List ? std::to_string(count) : entry.key();
    if (tree.kind() == Kind::Group && !json.contains(key)) return "missing " + path + "/" + key;
    if (tree.kind() == Kind::List && count >= json.size()) return "missing " + path + "/" + key;
    const std::string inside = difference(tree.kind() == Kind::List ? json.at(count) : json.at(key),
                                          entry, path + "/" + key);
    if (!inside.empty()) return inside;
    ++count;
  }
  return count == json.size() ? "" : "more entries at " + path;
}

/// Whether result.json in a folder has exactly what a described result has for files.
inline testing::AssertionResult result_file_has(const std::filesystem::path& folder,
                                                const document::ResultTree& tree) {
  std::ifstream stream(folder / "result.json");
  const std::string found = difference(nlohmann::json::parse(stream), tree);
  if (found.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << found;
}

}  // namespace alembert::test
