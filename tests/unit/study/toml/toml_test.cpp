#include "alembert/study/detail/toml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/data.hpp"

namespace alembert::study {
namespace toml_test {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    (void)parse_toml(text, "s.toml");
  } catch (const StudyError& error) {
    return error.what();
  }
  return "no error";
}

std::string override_error(const std::string& text, const Override& change) {
  Document document = parse_toml(text, "s.toml");
  try {
    apply_override(document, change);
  } catch (const StudyError& error) {
    return error.what();
  }
  return "no error";
}

// Lines and columns counted by hand in the text.
TEST(ParseToml, KeysAndValuesKnowWhereTheyStand) {
  const Document document = parse_toml(
      "title = \"x\"\n"
      "[model]\n"
      "  mass = [[1.0, 2.0],\n"
      "          [3.0, 4]]\n",
      "s.toml");
  const Entry* model = document.root.find("model");
  ASSERT_NE(model, nullptr);
  const Entry* mass = model->value.find("mass");
  ASSERT_NE(mass, nullptr);
  EXPECT_EQ(mass->position.line, 3U);
  EXPECT_EQ(mass->position.column, 3U);
  const Value& last = mass->value.array()->at(1).array()->at(1);
  EXPECT_EQ(last.position.line, 4U);
  EXPECT_EQ(last.position.column, 17U);
  EXPECT_EQ(last.number(), 4.0);
}

TEST(ParseToml, EntriesKeepTheOrderOfTheFile) {
  const Document document = parse_toml("zeta = 1\nalpha = 2\nmiddle = 3\n", "s.toml");
  const Table& table = *document.root.table();
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0].key, "zeta");
  EXPECT_EQ(table[1].key, "alpha");
  EXPECT_EQ(table[2].key, "middle");
}

TEST(ParseToml, SyntaxErrorsAreOneLineWithPlace) {
  for (const char* text : {"a = \n", "a = [1, 2\nb = 3\n", "a == 1\n", "[x\n", "a = \"never ends",
                           "a = 1\na = 2\n", "a = 01\n", "\xff\xfe = 1\n"}) {
    const std::string message = error_of(text);
    EXPECT_THAT(message, testing::StartsWith("s.toml:")) << text;
    EXPECT_THAT(message, HasSubstr("not valid TOML")) << text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

// A tree of 100 000 levels would exhaust the stack of the parser.
TEST(ParseToml, DeepNestingIsRefusedNotCrashed) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  EXPECT_THAT(error_of(key + " = 1\n"), HasSubstr("more than 32 parts"));
  EXPECT_THAT(error_of("x = " + std::string(100000, '[')), HasSubstr("deeper than 32"));
  EXPECT_THAT(error_of("\nx = [[" + std::string(31, '{')), HasSubstr("s.toml:2:37"));
}

TEST(ParseToml, DotsInTextsCommentsAndNumbersDoNotCountAsNesting) {
  const std::string dots(200, '.');
  std::string numbers;
  for (int i = 0; i < 200; ++i) numbers += "1.5, ";
  const Document document = parse_toml("# " + dots + "\na = \"" + dots + "\" # " + dots +
                                           "\nb = [" + numbers + "]\nc = '''" + dots + "'''\n",
                                       "s.toml");
  EXPECT_EQ(*document.root.find("a")->value.text(), dots);
  EXPECT_EQ(document.root.find("b")->value.array()->size(), 200U);
}

TEST(Override, ReplacesAddsAndMakesTables) {
  Document document = parse_toml("[simulate]\nstep = 0.1\n", "s.toml");
  apply_override(document, {.key = "simulate.step", .value = "0.25"});
  apply_override(document, {.key = "simulate.inputs.all.kind", .value = "zero"});
  apply_override(document, {.key = "title", .value = "\"two words\""});
  apply_override(document, {.key = "file", .value = "../data/run_1.csv"});
  apply_override(document, {.key = "out", .value = "/tmp/x.out"});
  EXPECT_EQ(*document.root.find("file")->value.text(), "../data/run_1.csv");
  EXPECT_EQ(*document.root.find("out")->value.text(), "/tmp/x.out");
  const Value& simulate = document.root.find("simulate")->value;
  EXPECT_EQ(simulate.find("step")->value.number(), 0.25);
  const Entry* kind = simulate.find("inputs")->value.find("all")->value.find("kind");
  EXPECT_EQ(*kind->value.text(), "zero");
  EXPECT_EQ(*document.root.find("title")->value.text(), "two words");
  EXPECT_EQ(to_string(document.place(kind->position)), "--set simulate.inputs.all.kind");
}

TEST(Override, ATableGivenAsValueReplacesTheOldOne) {
  Document document = parse_toml("[a]\nb = { x = 1, y = 2 }\n", "s.toml");
  apply_override(document, {.key = "a.b", .value = "{ z = 3 }"});
  const Value& b = document.root.find("a")->value.find("b")->value;
  EXPECT_EQ(b.find("x"), nullptr);
  EXPECT_EQ(b.find("z")->value.number(), 3.0);
}

TEST(Override, ErrorsNameTheOption) {
  EXPECT_THAT(override_error("", {.key = "a", .value = "[1, "}), HasSubstr("--set a: not valid"));
  EXPECT_THAT(override_error("", {.key = "a..b", .value = "1"}), HasSubstr("--set a..b: "));
  EXPECT_THAT(override_error("a = 1\n", {.key = "a.b", .value = "1"}),
              HasSubstr("--set a.b: a is an integer, not a table"));
  EXPECT_THAT(override_error("", {.key = "a", .value = "1\nb = 2"}), HasSubstr("one line"));
  EXPECT_THAT(override_error("", {.key = "a", .value = "", .origin = "--seed"}),
              HasSubstr("--seed: "));
}

TEST(Override, SplitsAtTheFirstEqualsSignOutsideQuotes) {
  const Override change = parse_override("data.inputs.\"a=b\" = \"c=d\"");
  EXPECT_EQ(change.key, "data.inputs.\"a=b\"");
  EXPECT_EQ(change.value, "\"c=d\"");
  EXPECT_THROW((void)parse_override("no sign"), StudyError);
  EXPECT_THROW((void)parse_override("=3"), StudyError);
}

// Property: text -> tree -> text -> tree gives the same text.
TEST(ToToml, RoundTrip) {
  const std::string text =
      "{ a = 1, b = [1.0, -2.5e-300, inf], c = \"quote \\\" back \\\\ line \\u000A\", "
      "d = true, e = { f = [[1, 2], [3, 4]] } }";
  const Value value = parse_toml("x = " + text, "s").root.find("x")->value;
  const std::string once = to_toml(value);
  const Value again = parse_toml("x = " + once, "s").root.find("x")->value;
  EXPECT_EQ(once, to_toml(again));
  EXPECT_EQ(*again.find("c")->value.text(), "quote \" back \\ line \n");
  EXPECT_EQ(again.find("b")->value.array()->at(1).number(), -2.5e-300);
}

TEST(ReadStudyText, SaysWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      return read_study_text(file);
    } catch (const StudyError& error) {
      return error.reason();
    }
  };
  EXPECT_THAT(message(folder.path() / "none.toml"), HasSubstr("No such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("is a folder"));
  EXPECT_EQ(message(folder.write("s.toml", "a = 1\r\n")), "a = 1\r\n");
}

}  // namespace toml_test
}  // namespace alembert::study
