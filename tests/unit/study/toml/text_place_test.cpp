#include "study/toml/text_place.hpp"

#include <gtest/gtest.h>

#include "alembert/study/detail/toml.hpp"

namespace alembert::study {
namespace text_place_test {

// Line and column of '@' in the file, which must be where the text says that it is.
void expect_found(const std::string& toml) {
  const Document document = parse_toml(toml, "s");
  const Value& value = document.root.find("x")->value;
  std::size_t line = 1;
  std::size_t column = 1;
  for (const char c : *value.text()) {
    if (c == '@') break;
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n' ? 1 : 0;
  }
  const Position found = position_in_text(document.text, value.position, line, column);
  std::size_t file_line = 1;
  std::size_t file_column = 1;
  for (const char c : toml.substr(0, toml.find('@'))) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;
    file_column = c == '\n' ? 1 : file_column + 1;
    file_line += c == '\n' ? 1 : 0;
  }
  EXPECT_EQ(found.line, file_line) << toml;
  EXPECT_EQ(found.column, file_column) << toml;
}

TEST(PositionInText, FollowsEveryKindOfQuotes) {
  expect_found("x = \"ab@c\"\n");
  expect_found("\n\nx = 'ab@c'");
  expect_found("a = 1\nx = \"\"\"\n  one\n  tw@o\n\"\"\"\n");
  expect_found("x = \"\"\"first\n@\"\"\"");
  expect_found("x = '''\n\\n is no escape @'''");
  expect_found("x = \"\"\"\n@\"\"\"");
}

TEST(PositionInText, FollowsEscapesAndJoinedLines) {
  expect_found("x = \"a\\nb\\t@\"");
  expect_found("x = \"\\u00e4\\U000000e4\\\\\\\"@\"");
  expect_found("x = \"\"\"\none \\\n   and @ two\"\"\"");
  expect_found("x = \"\"\"\n\xc3\xa4\xe2\x88\x82 @\"\"\"");
  expect_found("x = \"\"\"\r\none\r\n  @\"\"\"\r\n");
}

TEST(PositionInText, EndsWithTheText) {
  const Document document = parse_toml("x = \"ab\"", "s");
  const Position end =
      position_in_text(document.text, document.root.find("x")->value.position, 9, 9);
  EXPECT_EQ(end.line, 1U);
  EXPECT_EQ(end.column, 8U);
}

}  // namespace text_place_test
}  // namespace alembert::study
