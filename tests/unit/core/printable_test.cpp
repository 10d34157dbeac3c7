#include "alembert/core/printable.hpp"

#include <gtest/gtest.h>

namespace alembert {
namespace printable_test {

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "frame 8 dof", "Schwingung über 3 µm/s²", "модель", "機械 🙂"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_message(text), text);
  }
}

// C0, DEL, C1 in both encodings, marks of direction, tags, what has no width.
TEST(Printable, ShowsControlsByTheirCode) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\u202egpj.exe"), "\\u202egpj.exe");
  EXPECT_EQ(printable("\u2066x\u2069"), "\\u2066x\\u2069");
  EXPECT_EQ(printable("\u200b"), "\\u200b");
  EXPECT_EQ(printable("\U000E0041"), "\\ue0041");
}

TEST(Printable, IsOneLine) {
  EXPECT_EQ(printable("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(printable_lines("a\nb\x1b"), "a\nb\\x1b");
}

// Every byte pair: what comes out holds no control and is itself shown unchanged.
TEST(Printable, HoldsNothingRawForAnyTwoBytes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const std::string shown = printable(text);
      EXPECT_EQ(printable(shown), shown) << first << " " << second;
      for (const char c : shown) {
        EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << first << " " << second;
      }
    }
  }
}

TEST(PrintableMessage, CutsEchoesNotWords) {
  const std::string longer(5000, 'x');
  const std::string cut = std::string(kLongestEcho, 'x') + "...";
  EXPECT_EQ(printable_message("unknown key \"" + longer + "\" in [data]"),
            "unknown key \"" + cut + "\" in [data]");
  EXPECT_EQ(printable_message("unknown key " + longer + " in [data]"),
            "unknown key " + cut + " in [data]");
  std::string list = "step must be a number, got [1";
  for (int i = 0; i < 1000; ++i) list += ", 1";
  EXPECT_EQ(printable_message(list).size(),
            std::string("step must be a number, got ").size() + kLongestEcho + 3);
  // An ordinary message may be longer than an echo.
  std::string words = "this";
  for (int i = 0; i < 100; ++i) words += " and that";
  EXPECT_EQ(printable_message(words), words);
}

TEST(PrintableMessage, CutsBetweenLetters) {
  std::string letters;
  for (int i = 0; i < 300; ++i) letters += "µ";
  EXPECT_EQ(printable_message(letters).size(), 2 * kLongestEcho + 3);
}

}  // namespace printable_test
}  // namespace alembert
