#include "report/page/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "alembert/core/printable.hpp"

namespace alembert::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Line ends and tabs have their place in a listing.
bool is_shown(std::string_view letter) {
  return !is_control(letter) || letter == "\t" || letter == "\n" || letter == "\r";
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = letter_length(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(1, length));
    result += length > 0 && is_shown(letter) ? letter : kReplacement;
    text.remove_prefix(letter.size());
  }
  return result;
}

std::string html(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    const std::string_view replaced = entity(c);
    if (replaced.empty()) {
      result += c;
    } else {
      result += replaced;
    }
  }
  return result;
}

namespace {

// Words that begin a message and are no name of a channel, a parameter or a coordinate.
constexpr std::array<std::string_view, 45> kFirstWords = {
    "a",     "add",    "all",    "an",     "at",      "check",       "compare",   "data",    "each",
    "every", "excite", "finer",  "fix",    "for",     "give",        "held-back", "hold",    "in",
    "it",    "let",    "look",   "lower",  "measure", "no",          "of",        "one",     "or",
    "poor",  "raise",  "record", "sample", "say",     "simulations", "some",      "stopped", "the",
    "there", "these",  "those",  "to",     "try",     "widen",       "with",      "windows"};

bool begins_with_ordinary_word(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(" ,;:."));
  return std::find(kFirstWords.begin(), kFirstWords.end(), first) != kFirstWords.end();
}

}  // namespace

std::string sentence_html(std::string_view text) {
  std::string words = html(text);
  if (words.empty()) return words;
  if (begins_with_ordinary_word(text)) {
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    if (std::string_view(".!?:").find(words.back()) == std::string_view::npos) words += '.';
  }
  for (std::size_t open = words.find('`'); open != std::string::npos;
       open = words.find('`', open)) {
    const std::size_t close = words.find('`', open + 1);
    if (close == std::string::npos) break;
    words.replace(close, 1, "</code>");
    words.replace(open, 1, "<code>");
    open = close;
  }
  return words;
}

std::string script_safe(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string slug(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  constexpr std::size_t kLongest = 60;
  if (result.size() > kLongest) result.resize(kLongest);
  return result.empty() ? "item" : result;
}

}  // namespace alembert::report
