#include "alembert/model/detail/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "alembert/model/equations.hpp"

namespace alembert::model::equations {

namespace {

constexpr std::size_t kMaxTokens = 200000;
constexpr std::size_t kMaxNameLength = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_byte(char c) { return is_letter(c) || is_digit(c); }

// Signs between or before values, the comma and `=` among them; but not parentheses.
bool is_operator(const Token& token) {
  if (token.kind == TokenKind::Name) {
    return token.primes == 0 && (token.text == "and" || token.text == "or" || token.text == "not");
  }
  return token.kind == TokenKind::Symbol && token.text != "(" && token.text != ")";
}

// The bytes of the character of UTF-8 with which the text begins, and its number; {1, 0} if there
// is none.
std::pair<std::size_t, std::uint32_t> first_character(std::string_view text) {
  const auto byte = [text](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const std::size_t length = byte(0) < 0x80U    ? 1
                             : byte(0) >= 0xF0U ? 4
                             : byte(0) >= 0xE0U ? 3
                             : byte(0) >= 0xC0U ? 2
                                                : 0;
  std::uint32_t number = length <= 1 ? byte(0) : byte(0) & (0x7FU >> length);
  bool valid = length > 0 && byte(0) < 0xF8U;
  for (std::size_t k = 1; k < length; ++k) {
    valid = valid && (byte(k) & 0xC0U) == 0x80U;
    number = (number << 6U) | (byte(k) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  valid = valid && number >= kSmallest[length] && number <= 0x10FFFFU;
  return valid ? std::pair{length, number} : std::pair{std::size_t{1}, std::uint32_t{0}};
}

// A character of the user for a message. What is not ASCII is shown with its number; what would not
// be seen or would move the rest of the line (controls, spaces, marks of direction) by it alone.
std::string shown_character(std::string_view text) {
  const auto [length, number] = first_character(text);
  if (number < 0x80U) {
    return in_quotes(text.substr(0, 1));
  }
  const bool visible = number > 0xA0U && (number < 0x2000U || number > 0x206FU) &&
                       (number < 0xD800U || number > 0xF8FFU) && number < 0xFE00U;
  const std::string code = fmt::format("U+{:04X}", number);
  return visible ? fmt::format("'{}' ({})", text.substr(0, length), code) : code;
}

class Lexer {
 public:
  Lexer(std::string_view part, std::string_view text) : part_(part), text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      next();
      if (tokens_.size() > kMaxTokens) {
        fail(part_, here_, fmt::format("the text has more than {} words", kMaxTokens));
      }
    }
    if (!open_.empty()) {
      fail(part_, open_.back().position, fmt::format("'{}' is never closed", open_.back().text));
    }
    end_line();
    add({.kind = TokenKind::EndOfText, .text = "the end", .position = here_});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t bytes = 1) {
    for (; bytes > 0; --bytes, ++at_) {
      // Bytes 10xxxxxx go on with a character of UTF-8.
      here_.column += (static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U ? 1 : 0;
    }
  }

  // No equation begins with an operator: such a line goes on with the one before.
  void add(Token token) {
    const bool joins = is_operator(token) && token.text != "=";
    if (joins && !tokens_.empty() && tokens_.back().kind == TokenKind::EndOfLine) {
      tokens_.pop_back();
    }
    tokens_.push_back(std::move(token));
  }

  void next() {
    const char c = text_[at_];
    if (c == '\n') {
      new_line();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      advance();
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') {
        advance();
      }
    } else if (is_letter(c)) {
      name();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (c == '"') {
      string();
    } else {
      symbol();
    }
  }

  void new_line() {
    end_line();
    ++at_;
    ++here_.line;
    here_.column = 1;
  }

  // Ends a statement, unless it obviously goes on.
  void end_line() {
    if (tokens_.empty() || !open_.empty() || tokens_.back().kind == TokenKind::EndOfLine) {
      return;
    }
    const Token& last = tokens_.back();
    if (is_operator(last) && at_ < text_.size()) {
      return;
    }
    add({.kind = TokenKind::EndOfLine, .text = "the end of the line", .position = here_});
  }

  void name() {
    Token token{.kind = TokenKind::Name, .position = here_};
    std::size_t length = 1;
    while (is_name_byte(peek(length))) {
      ++length;
    }
    if (length > kMaxNameLength) {
      fail(part_, here_, fmt::format("a name may have at most {} letters", kMaxNameLength));
    }
    token.text = text_.substr(at_, length);
    advance(length);
    for (; peek() == '\''; advance()) {
      ++token.primes;
      if (token.primes > 2) {
        fail(part_, token.position,
             fmt::format("{}''' is of third order; give {}'' a name of its own", token.text,
                         token.text));
      }
    }
    add(std::move(token));
  }

  void number() {
    Token token{.kind = TokenKind::Number, .position = here_};
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), token.number);
    const auto length = static_cast<std::size_t>(end - begin);
    token.text = text_.substr(at_, length);
    if (error != std::errc{} || !std::isfinite(token.number)) {
      fail(part_, here_, fmt::format("{} is out of the range of numbers", in_quotes(token.text)));
    }
    advance(length);
    if (is_name_byte(peek()) || peek() == '.') {
      fail(part_, here_, fmt::format("an operator is missing after {}", in_quotes(token.text)));
    }
    add(std::move(token));
  }

  void string() {
    Token token{.kind = TokenKind::String, .position = here_};
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') {
      fail(part_, here_, "the quotation mark is never closed");
    }
    token.text = text_.substr(at_ + 1, end - at_ - 1);
    advance(end + 1 - at_);
    add(std::move(token));
  }

  void symbol() {
    constexpr std::array<std::string_view, 4> kTwo{"<=", ">=", "==", "!="};
    for (const std::string_view two : kTwo) {
      if (text_.substr(at_, 2) == two) {
        add({.kind = TokenKind::Symbol, .text = std::string(two), .position = here_});
        advance(2);
        return;
      }
    }
    const char c = text_[at_];
    explain_foreign(c);
    Token token{.kind = TokenKind::Symbol, .text = std::string(1, c), .position = here_};
    track_parentheses(token);
    add(std::move(token));
    advance();
  }

  // Signs of other languages, with what to write instead.
  void explain_foreign(char c) const {
    if (text_.substr(at_, 2) == "**") {
      fail(part_, here_, "unexpected '**'; powers are written with ^");
    }
    if (text_.substr(at_, 2) == "&&" || text_.substr(at_, 2) == "||") {
      fail(part_, here_, "unexpected sign; write 'and', 'or'");
    }
    if (c == '\'') {
      fail(part_, here_, "a prime must stand directly behind a name");
    }
    if (std::string_view("+-*/^=<>(),").find(c) == std::string_view::npos) {
      const bool ascii = static_cast<unsigned char>(c) < 0x80U;
      fail(part_, here_,
           fmt::format("unexpected {}{}", shown_character(text_.substr(at_)),
                       ascii ? "" : "; but for comments the text is ASCII"));
    }
  }

  void track_parentheses(const Token& token) {
    if (token.text == "(") {
      open_.push_back(token);
    } else if (token.text == ")") {
      if (open_.empty()) {
        fail(part_, here_, "')' without '('");
      }
      open_.pop_back();
    } else if (token.text == "=" && !open_.empty()) {
      const Token& open = open_.back();
      if (open.position.line == here_.line) {
        fail(part_, here_, "unexpected '='; comparisons are written with ==");
      }
      fail(part_, open.position, "'(' is never closed");
    }
  }

  std::string_view part_;
  std::string_view text_;
  std::size_t at_ = 0;
  Position here_{1, 1};
  std::vector<Token> tokens_;
  std::vector<Token> open_;  // parentheses not yet closed
};

}  // namespace

void fail(std::string_view part, Position position, const std::string& reason) {
  throw EquationError(
      Place{.file = std::string(part), .line = position.line, .column = position.column}, reason);
}

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0]) || text.size() > kMaxNameLength) {
    return false;
  }
  for (const char c : text) {
    if (!is_name_byte(c)) {
      return false;
    }
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 40)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result + (text.size() > 40 ? "...'" : "'");
}

std::vector<Token> tokenize(std::string_view part, std::string_view text) {
  if (text.size() > kMaxEquationText) {
    fail(part, {1, 1},
         fmt::format("the text has {} bytes, more than {}", text.size(), kMaxEquationText));
  }
  return Lexer(part, text).run();
}

}  // namespace alembert::model::equations
