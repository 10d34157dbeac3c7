#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "alembert/document/result_tree.hpp"

namespace alembert::test {

/// Expects a value of a result file to be what the tree says: groups with the same keys in the same
/// order, without what is for tables alone, lists with the same items, numbers to the last digit.
inline void expect_described(const nlohmann::ordered_json& json, const document::ResultTree& tree,
                             const std::string& path = "") {
  using Kind = document::ResultTree::Kind;
  SCOPED_TRACE(path);
  const bool unknown = tree.kind() == Kind::Number && !std::isfinite(tree.number());
  if (tree.is_null() || unknown) {
    EXPECT_TRUE(json.is_null());
  } else if (tree.kind() == Kind::Boolean) {
    EXPECT_EQ(json, tree.boolean());
  } else if (tree.kind() == Kind::Text) {
    EXPECT_EQ(json, tree.text());
  } else if (tree.kind() == Kind::Group || tree.kind() == Kind::List) {
    ASSERT_EQ(json.is_array(), tree.kind() == Kind::List);
    auto found = json.begin();
    for (const document::ResultTree& entry : tree.entries()) {
      if (!entry.in_file()) continue;
      ASSERT_NE(found, json.end()) << entry.key();
      if (json.is_object()) {
        ASSERT_EQ(found.key(), entry.key());
      }
      expect_described(*found, entry, path + "/" + entry.key());
      ++found;
    }
    EXPECT_EQ(found, json.end());
  } else {
    EXPECT_EQ(json.is_number_float(), tree.kind() == Kind::Number);
    EXPECT_EQ(json.get<double>(), tree.number());
  }
}

/// Expects result.json in the folder to hold the tree and nothing else.
inline void expect_result_file(const std::filesystem::path& folder,
                               const document::ResultTree& tree) {
  std::ifstream file(folder / "result.json");
  expect_described(nlohmann::ordered_json::parse(file), tree);
}

}  // namespace alembert::test
