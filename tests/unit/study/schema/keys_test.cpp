#include "alembert/study/detail/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "alembert/core/error.hpp"
#include "alembert/study/detail/key_reference.hpp"
#include "alembert/study/detail/toml.hpp"
#include "study/tasks/registry.hpp"

namespace alembert::study {
namespace keys_test {

// Every key, those of variants included.
std::vector<std::pair<std::string, const KeySpec*>> all_keys() {
  std::vector<std::pair<std::string, const KeySpec*>> keys;
  for (const TableSpec* table : all_tables()) {
    for (const KeySpec& key : table->keys) keys.emplace_back(table->path, &key);
    for (const Variant& variant : table->variants) {
      for (const KeySpec& key : variant.keys) keys.emplace_back(table->path, &key);
    }
  }
  return keys;
}

TEST(Range, SaysWhatItContains) {
  EXPECT_FALSE(above(0.0).contains(0.0));
  EXPECT_TRUE(at_least(0.0).contains(0.0));
  EXPECT_TRUE(within(1.0, 32.0).contains(32.0));
  EXPECT_FALSE(within(1.0, 32.0).contains(33.0));
  EXPECT_FALSE(Range{}.is_bounded());
  EXPECT_EQ(to_string(above(0.0)), "above 0");
  EXPECT_EQ(to_string(at_least(1.5)), "at least 1.5");
  EXPECT_EQ(to_string(within(2.0, 24.0)), "from 2 to 24");
}

TEST(Keys, EveryDefaultIsTomlOfAnAllowedForm) {
  for (const auto& [path, key] : all_keys()) {
    if (key->fallback.empty()) continue;
    const Document document = parse_toml("x = " + key->fallback, key->name);
    const Value& value = document.root.find("x")->value;
    if (value.is_number()) {
      EXPECT_TRUE(key->range.contains(value.number())) << path << "." << key->name;
      EXPECT_NE(key->forms & (kNumber | kInteger), 0U) << path << "." << key->name;
    } else if (value.text() != nullptr && !key->choices.empty()) {
      EXPECT_THAT(key->choices, testing::Contains(*value.text())) << path << "." << key->name;
    }
  }
}

TEST(Keys, EveryKeyHasHelpOfOneLineAndNoFullStop) {
  for (const auto& [path, key] : all_keys()) {
    EXPECT_FALSE(key->help.empty()) << path << "." << key->name;
    EXPECT_NE(key->help.back(), '.') << path << "." << key->name;
    EXPECT_EQ(key->help.find('\n'), std::string::npos) << path << "." << key->name;
    EXPECT_EQ((key->forms & (kTable | kTables)) != 0, key->table != nullptr)
        << path << "." << key->name;
  }
}

TEST(Keys, NamesAreUniqueInATable) {
  for (const TableSpec* table : all_tables()) {
    std::set<std::string> names;
    for (const KeySpec& key : table->keys) EXPECT_TRUE(names.insert(key.name).second) << key.name;
    for (const Variant& variant : table->variants) {
      std::set<std::string> both = names;
      for (const KeySpec& key : variant.keys) EXPECT_TRUE(both.insert(key.name).second) << key.name;
    }
  }
}

// The rules name keys; a rule about a key that does not exist would never fire.
TEST(Keys, RulesNameKnownKeys) {
  for (const TableSpec* table : all_tables()) {
    for (const KeyRule& rule : table->rules) {
      for (const std::string& key : rule.keys) {
        EXPECT_NE(table->find(key, nullptr), nullptr) << table->path << "." << key;
      }
    }
    for (const Variant& variant : table->variants) {
      std::set<std::string> names;
      for (const KeySpec& key : variant.keys) names.insert(key.name);
      for (const KeyRule& rule : variant.rules) {
        for (const std::string& key : rule.keys) EXPECT_EQ(names.count(key), 1U) << key;
      }
    }
  }
}

TEST(Keys, TheTagChoosesTheKeys) {
  const TableSpec* inputs = nullptr;
  for (const TableSpec* table : all_tables()) {
    if (table->path == "simulate.inputs.NAME") inputs = table;
  }
  ASSERT_NE(inputs, nullptr);
  const Document chirp = parse_toml("kind = \"chirp\"", "s");
  EXPECT_NE(inputs->find("begin", &chirp.root), nullptr);
  EXPECT_EQ(inputs->find("order", &chirp.root), nullptr);
  EXPECT_NE(inputs->find("kind", &chirp.root), nullptr);
  // Every kind that may be chosen has its keys, and no others.
  std::vector<std::string> tags;
  for (const Variant& variant : inputs->variants) tags.push_back(variant.tag_value);
  EXPECT_EQ(inputs->find("kind", nullptr)->choices, tags);
}

TEST(Keys, TasksThatTakeAKeyExist) {
  const std::vector<std::string> tasks = task_tables();
  for (const auto& [path, key] : all_keys()) {
    for (const std::string& task : key->tasks) EXPECT_THAT(tasks, testing::Contains(task)) << path;
    if (key->required_by.empty()) continue;
    EXPECT_THAT(tasks, testing::Contains(key->required_by)) << path << "." << key->name;
    EXPECT_FALSE(key->required) << path << "." << key->name;
  }
}

TEST(KeysAsText, FitsEightyColumnsAndShowsEveryKey) {
  const std::string text = keys_as_text();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  for (const auto& [path, key] : all_keys()) {
    const auto row = testing::HasSubstr("\n  " + key->name + " ");
    if (key->now_called.empty()) {
      EXPECT_THAT(text, row) << path;
    } else {
      EXPECT_THAT(text, testing::Not(row)) << path << ": an old key is read, not listed";
    }
  }
}

TEST(KeysAsText, ShowsOneTableAndThoseBelow) {
  const std::string text = keys_as_text("simulate.sensors");
  EXPECT_THAT(text, testing::StartsWith("[simulate.sensors]"));
  EXPECT_THAT(text, testing::HasSubstr("[simulate.sensors.NAME]"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("[model]")));
  try {
    (void)keys_as_text("simulate.sensor");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean \"simulate.sensors\"?"));
  }
}

TEST(KeysAsMarkdown, HasARowForEveryKey) {
  const std::string text = keys_as_markdown();
  for (const auto& [path, key] : all_keys()) {
    EXPECT_EQ(text.find("| `" + key->name + "` |") != std::string::npos, key->now_called.empty())
        << path << " " << key->name;
  }
}

TEST(DescribeForms, ReadsAsASentence) {
  EXPECT_EQ(describe_forms(kNumber), "a number");
  EXPECT_EQ(describe_forms(kText | kTable), "a text or a table");
  EXPECT_EQ(describe_forms(kNumber | kText | kTable), "a number, a text or a table");
}

}  // namespace keys_test
}  // namespace alembert::study
